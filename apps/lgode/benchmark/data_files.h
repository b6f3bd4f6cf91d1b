// What lgode benchmark makes of the files of a benchmark: plain tables, the commands that import them, and, where
// frames are hidden, a table of what is shown. Also which tracks a forecast is asked of, and under which names.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "lgode/benchmark/forecast_file.h"
#include "lgode/benchmark/masks.h"
#include "lgode/benchmark/tracks.h"

namespace lgode::app {

// A track of the test part as a method is shown it.
struct Asked {
  const benchmark::Track* track = nullptr;
  int count = 0;  // of hidden frames
  benchmark::Hidden hidden = {};
  benchmark::PredictionKey key;
};

// Every track of a fold; where the protocol hides frames, every track with two people in its window once for each
// number of hidden frames. The tracks must outlive it. `name`: of the table of what is shown, write_shown().
std::vector<Asked> asked_of(const benchmark::Protocol& protocol, const std::vector<benchmark::Track>& tracks,
                            const std::string& name);

// The tables in a folder: frame, person, x and y, separated by tabs. DataError.
void write_tables(const std::vector<benchmark::Recording>& recordings, const std::filesystem::path& folder);

// What is shown: a recording of blocks, one for each window and number of hidden frames, one after the other. A block
// has `frames` frames. A row of nobody before the first block and one after the last make all blocks whole windows.
void write_shown(const std::vector<Asked>& asked, int frames, const std::filesystem::path& file);

// The arguments of lgode after its name. Windows have 20 frames for a forecast and 8 for an imputation.
std::vector<std::string> import_tables(const benchmark::Protocol& protocol, const benchmark::Fold& fold,
                                       benchmark::Task task, const std::filesystem::path& tables,
                                       const std::filesystem::path& out);
std::vector<std::string> import_shown(const benchmark::Protocol& protocol, benchmark::Task task,
                                      const std::filesystem::path& table, const std::filesystem::path& out);
// Predicts the test part of a data set, or all of what import_shown() made.
std::vector<std::string> predict(const benchmark::Protocol& protocol, benchmark::Task task,
                                 const std::filesystem::path& run, const std::filesystem::path& data,
                                 const std::filesystem::path& out);

// The frames that predict() asks for.
benchmark::FrameTimes frame_times(const benchmark::Protocol& protocol, benchmark::Task task);

}  // namespace lgode::app
