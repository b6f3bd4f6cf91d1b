// A trained model for lgode info: its task, data, progress, inputs and outputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run_info.h"
#include "lgode/use/format.h"
#include "lgode/use/summary.h"
#include "lgode/use/text_table.h"

namespace lgode::use {
namespace {

using nlohmann::ordered_json;

ordered_json config_value(const eval::RunInfo& info, const char* key) {
  return info.config.contains(key) ? ordered_json(info.config[key]) : ordered_json(nullptr);
}

// All numbers except the optimiser's.
std::int64_t count_parameters(const SafetensorsFile& file) {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : file.tensors()) {
    if (name.starts_with(eval::kOptimizerPrefix)) continue;
    count += std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
  }
  return count;
}

}  // namespace

std::string kind_of(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return eval::kCheckpointKind;
  const SafetensorsFile file(path);
  const auto kind = file.metadata().find(data::kKindKey);
  if (kind == file.metadata().end())
    throw DataError(fmt::format("{}: a safetensors file, but not one that lgode wrote ({} is absent)", path.string(),
                                data::kKindKey));
  return kind->second;
}

ordered_json summarise_run(const std::filesystem::path& path) {
  const SafetensorsFile file(eval::checkpoint_path(path));
  const eval::RunInfo info = eval::read_run_info(file);
  ordered_json features = ordered_json::array();
  for (std::size_t f = 0; f < info.features.size(); ++f)
    features.push_back(
        {{"name", info.features[f].name}, {"unit", info.features[f].unit}, {"scale", info.normalisation.scale[f]}});
  ordered_json summary = {{"kind", eval::kCheckpointKind}, {"file", file.path().string()}};
  summary.update(eval::run_head_json(info));
  summary["centre"] = info.task.centre == data::Centre::kSystem ? "system" : "none";
  for (const char* key : {"recipe", "epochs", "solver", "step", "latent", "encoder_width", "sequence_width", "hidden"})
    summary[key] = config_value(info, key);
  summary["parameters"] = count_parameters(file);
  summary["epoch"] = info.epoch;
  summary["step_count"] = info.step;
  summary["validation"] = info.validation;
  summary["data"] = config_value(info, "data");
  summary["data_name"] = info.data_name;
  summary["time_scale"] = info.time_scale;
  summary["features"] = features;
  summary["relation_types"] = info.relation_types;
  summary["version"] = info.version;
  summary["commit"] = info.commit;
  summary["machine"] = info.machine;
  summary["config"] = info.config;
  return summary;
}

std::string run_text(const ordered_json& summary) {
  const auto value = [&](const char* key) { return plain_text(summary[key]); };
  std::string result = fmt::format("checkpoint       {}\n", value("file"));
  result += fmt::format("task             {}, {} observed, protocol {}, seed {}\n", value("task"),
                        format_percent(summary["observed"]), value("protocol"), value("seed"));
  result += fmt::format("model            {}, variant {}\n", value("model"), value("variant"));
  result += fmt::format("positions        {}\n", summary["centre"] == "system"
                                                     ? "relative to each system's mean (centre system)"
                                                     : "as in the data (centre none)");
  result += fmt::format("data             {} ({})\n", value("data_name"), value("data"));
  result += fmt::format("parameters       {}\n", format_count(summary["parameters"]));
  result += fmt::format("widths           encoder {}, sequence {}, latent {}, hidden {}\n", value("encoder_width"),
                        value("sequence_width"), value("latent"), value("hidden"));
  result += fmt::format("solver           {}, step {}\n", value("solver"),
                        summary["step"].is_number() ? format_number(summary["step"]) : value("step"));
  result += fmt::format("trained          {} epochs, {}, recipe {}\n",
                        summary["epochs"].is_number() ? value("epoch") + " of " + value("epochs") : value("epoch"),
                        format_plural(summary["step_count"], "step"), value("recipe"));
  result += fmt::format("validation error {}\n",
                        summary["validation"].is_number() ? format_error(summary["validation"]) + " x 10^-2" : "none");
  result +=
      fmt::format("relation types   {}\n", fmt::join(summary["relation_types"].get<std::vector<std::string>>(), ", "));
  result +=
      fmt::format("made by          lgode {} ({}) on {}\n\n", value("version"), value("commit"), value("machine"));
  Table table({"feature", "unit", "scale"});
  for (const auto& feature : summary["features"])
    table.add({feature["name"], feature["unit"], format_number(feature["scale"])});
  return result + table.left().text();
}

}  // namespace lgode::use
