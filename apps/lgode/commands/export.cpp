// lgode export: writes a data set in another format, one subcommand per format.
#include "lgode/table/csv/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "command.h"
#include "lgode/use/format.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

using use::format_plural;
using use::format_word;

struct Arguments {
  std::string data, out;
  bool force = false, spreadsheet_safe = false;
};

int export_csv(const Arguments& arguments) {
  const data::Dataset loaded = data::load_dataset(arguments.data);
  const data::Dataset dataset = safe_for_spreadsheets(loaded, arguments.spreadsheet_safe);
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be left behind");
  {
    Progress progress;
    table::export_csv(
        dataset, arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse,
        [&](std::int64_t done, std::int64_t total) {
          progress.share("writing", done, total);
          if (done == total) stop_no_more();  // the other files are small
        },
        stop);
  }
  const std::filesystem::path folder = arguments.out;
  fmt::print("{}: {}\n", (folder / table::kObservationsName).string(),
             format_plural(dataset.observations(), "observation"));
  fmt::print("{}: {}\n", (folder / table::kEdgesName).string(), format_plural(dataset.relations(), "relation"));
  fmt::print("{}: parts, origins and description\n", (folder / table::kDatasetName).string());
  fmt::print("back: lgode import csv --folder {} --out data.safetensors\n", format_word(arguments.out));
  return kOk;
}

}  // namespace

Command add_export(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("export", "write a data set as tables");
  app.require_command();
  Flags csv = app.add_command("csv", "write a data set as CSV tables, which import csv reads back as they were");
  csv.add_value("DATA", arguments->data, "FILE", "data set").required();
  csv.add_value("--out", arguments->out, "FOLDER", "where observations.csv, edges.csv and dataset.json go").required();
  add_spreadsheet_safe(csv, arguments->spreadsheet_safe);
  csv.add_switch("--force", arguments->force, "replace the files if they exist");
  csv.footer(examples({"lgode export csv springs.safetensors --out tables/"}));
  app.footer(examples({"lgode export csv springs.safetensors --out tables/"}));
  return {app, [arguments] { return export_csv(*arguments); }};
}

}  // namespace lgode::app
