// Fuzzes the readers of lgode benchmark: a form feed separates the file of a recording from a prediction.
#include <vector>

#include "lgode/benchmark/forecast_file.h"
#include "lgode/benchmark/tracks.h"
#include "memory_file.h"
#include "target.h"

void lgode::fuzz::run(std::string_view input) {
  const std::size_t border = input.find('\f');
  const MemoryFile recording(input.substr(0, border));
  benchmark::read_tracks(benchmark::find_protocol("eth-ucy"), {"scene", recording.path()});
  if (border == std::string_view::npos) return;
  const MemoryFile prediction(input.substr(border + 1));
  const std::vector<benchmark::PredictionKey> keys = {{"scene/0", "1"}};
  benchmark::read_predictions(prediction.path(), keys, {0.4, 8, 2}, 1);
}
