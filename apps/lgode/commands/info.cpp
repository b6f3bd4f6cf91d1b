// lgode info: what a file or a run folder holds.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "command.h"
#include "lgode/core/json_text.h"
#include "lgode/data/dataset.h"
#include "lgode/use/prediction_file.h"
#include "lgode/use/summary.h"
#include "text/flag_text.h"
#include "text/flags.h"
#include "text/inputs.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::string file;
  bool json = false;
};

int info(const Arguments& arguments) {
  if (!std::filesystem::is_directory(arguments.file)) refuse_table(arguments.file, "lgode info", "lgode info");
  const std::string kind = use::kind_of(arguments.file);
  nlohmann::ordered_json summary;
  std::string text;
  if (kind == data::kDatasetKind) {
    const data::Dataset dataset = data::load_dataset(arguments.file);
    summary = use::summarise_dataset(dataset);
    use::add_checkup(summary, dataset);
    for (auto& warning : summary["warnings"])
      for (auto& entry : warning) entry = with_flags(entry.get<std::string>());
    text = with_flags(use::dataset_text(summary)) + use::checkup_text(summary);
  } else if (kind == use::kPredictionKind) {
    summary = use::summarise_predictions(arguments.file);
    text = use::prediction_text(summary);
  } else {
    summary = use::summarise_run(arguments.file);
    text = use::run_text(summary);
  }
  fmt::print("{}", arguments.json ? json_text(summary, 2) + "\n" : text);
  return kOk;
}

}  // namespace

Command add_info(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command(
      "info", "check a data set before training; show what a checkpoint, a run folder or predictions hold");
  app.add_value("FILE", arguments->file, " ", "a file that lgode wrote, or a run folder").required();
  app.add_switch("--json", arguments->json, "as JSON");
  app.footer(
      examples({"lgode info springs.safetensors", "lgode info runs/first", "lgode info --json springs.safetensors"}));
  return {app, [arguments] { return info(*arguments); }};
}

}  // namespace lgode::app
