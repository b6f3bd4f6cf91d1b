// Reads new tables with the settings of a run's training data.
#include "lgode/use/new_table.h"

#include <memory>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/use/import_messages.h"

namespace lgode::use {

void check_relations(const data::Description& table, bool given) {
  if (!given && table.edges.kind == data::EdgeRule::Kind::kListed && !table.features.empty())
    throw ConfigError(
        "`edges`: the model was trained on data that lists its relations; give the relations of the table, or "
        "\"none\"");
}

table::ImportOptions new_table_options(const data::Description& table, double length, TableUse use) {
  if (table.features.empty())
    throw ConfigError(
        "the run was saved by an early version, which did not keep how its table was read; import the new table as the "
        "training data was imported, with `for_prediction`, and pass the result as `data`");
  table::ImportOptions options = table::new_table_import(table);
  options.arrangement.first_range = length;
  if (use != TableUse::kEvaluate) return options;
  if (table.window < 0 && !table.columns.empty())
    throw ConfigError(
        "the run was saved by an earlier version, which did not keep whether its training data was cut into windows; "
        "import the new table as the training data was imported, with `for_prediction` and the same `window`, and pass "
        "the result as `data`");
  if (table.frames) {
    options.arrangement.frames = table.frames;
    options.arrangement.first_range.reset();
  } else if (table.window > 0) {
    options.arrangement.window = table.window;
  }
  return options;
}

data::Dataset with_relation_types(data::Dataset set, const std::vector<std::string>& types) {
  if (set.description().relation_types == types) return set;
  data::Description named = set.description();
  named.relation_types = types;
  const data::Dataset::Arrays arrays = set.arrays();
  const std::string name = named.name;
  return {std::move(named), arrays, std::make_shared<data::Dataset>(std::move(set)), name};
}

data::Dataset read_new_table(const eval::RunInfo& info, const NewTable& table, Messages& notes, const StopFlag* stop) {
  check_relations(info.table, !table.edges.empty());
  const std::vector<std::filesystem::path> files = table::find_files(table.files);
  if (files.empty()) throw ConfigError("`table`: expected at least one file");
  table::ImportOptions options = new_table_options(info.table, info.conditioning_length, table.use);
  options.observations = files;
  options.file_systems = options.file_systems || files.size() > 1;
  if (!table.edges.empty()) table::choose_relations(table.edges, options.relations);
  options.skip_bad_rows = table.skip_bad_rows;
  options.threads = table.threads;
  options.scratch_folder = table.scratch_folder;
  table::name_after_files(options);
  table::ImportReport report;
  data::Dataset set = table::import_csv(options, report, {}, stop);
  if (std::string skipped = skipped_text(report); !skipped.empty())
    notes.push_back({Message::Kind::kNote, std::move(skipped)});
  for (Message& message : messages(report, ", as in the training data")) notes.push_back(std::move(message));
  return with_relation_types(std::move(set), info.relation_types);
}

double physical_time(const data::Dataset& set, double number) {
  const double rate = set.description().rate;
  return rate > 0 ? number / rate : number;
}

Length physical_length(const data::Dataset& set, const Length& length) {
  if (length.seconds) return length;
  return {physical_time(set, length.value), false, length.text};
}

}  // namespace lgode::use
