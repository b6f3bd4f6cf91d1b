// Computes the tables from result records; tables_text.cpp writes them as Markdown.
#include "lgode/reproduce/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "lgode/core/json_text.h"
#include "lgode/core/methods.h"
#include "lgode/reproduce/paper_tables.h"

namespace lgode::reproduce {
namespace {

using nlohmann::ordered_json;

// A cell without its seed.
using Place = std::string;
Place place_of(Cell cell) {
  cell.seed = 0;
  return cell.name();
}

// What the tables show in one place.
struct Shown {
  std::vector<const Record*> records;  // same settings, one per seed
  std::vector<const Record*> failed;   // seeds without a result
  std::int64_t planned = 0;            // requested seeds that have neither
};

double mean_validation(const std::vector<const Record*>& records) {
  double sum = 0;
  for (const Record* r : records) sum += r->validation.value_or(std::numeric_limits<double>::infinity());
  return sum / static_cast<double>(records.size());
}

std::string file_name(const Record* record) { return record->file.filename().string(); }

// Chooses the records of one place; the notes list the others.
std::vector<const Record*> choose_records(const std::vector<const Record*>& records, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<const Record*>> by_settings;
  for (const Record* r : records) by_settings[r->settings()].push_back(r);
  const std::vector<const Record*>* best = nullptr;
  for (const auto& [settings, group] : by_settings) {
    if (best == nullptr || group[0]->train_systems > (*best)[0]->train_systems ||
        (group[0]->train_systems == (*best)[0]->train_systems && mean_validation(group) < mean_validation(*best)))
      best = &group;
  }
  std::vector<const Record*> chosen;
  for (const Record* r : *best) {
    const bool again = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const Record* other) { return other->cell.seed == r->cell.seed; });
    if (again)
      notes.push_back(fmt::format("{}: skipped: same cell, seed and settings as another record", file_name(r)));
    else
      chosen.push_back(r);
  }
  for (const auto& [settings, group] : by_settings) {
    if (&group == best) continue;
    for (const Record* r : group)
      notes.push_back(fmt::format("{}: skipped: other settings than {}, which {}", file_name(r),
                                  file_name(best->front()),
                                  r->train_systems < best->front()->train_systems ? "has more training systems"
                                                                                  : "has the lower validation error"));
  }
  std::sort(chosen.begin(), chosen.end(), [](const Record* a, const Record* b) { return a->cell.seed < b->cell.seed; });
  return chosen;
}

std::map<Place, Shown> arrange(const std::vector<Record>& records, const TableContext& context,
                               std::vector<std::string>& notes) {
  std::map<Place, std::vector<const Record*>> done, failed;
  for (const Record& r : records) (r.failed.empty() ? done : failed)[place_of(r.cell)].push_back(&r);
  std::map<Place, Shown> shown;
  for (const auto& [place, list] : done) shown[place].records = choose_records(list, notes);
  const auto has_seed = [](const std::vector<const Record*>& list, std::uint64_t seed) {
    return std::any_of(list.begin(), list.end(), [&](const Record* r) { return r->cell.seed == seed; });
  };
  for (const auto& [place, list] : failed)
    for (const Record* r : list)
      if (!has_seed(shown[place].records, r->cell.seed) && !has_seed(shown[place].failed, r->cell.seed))
        shown[place].failed.push_back(r);
  for (const Cell& cell : context.planned) {
    Shown& s = shown[place_of(cell)];
    if (!has_seed(s.records, cell.seed) && !has_seed(s.failed, cell.seed)) ++s.planned;
  }
  return shown;
}

void add_average(ordered_json& result, const std::string& prefix, const std::vector<double>& values) {
  if (values.empty()) return;
  const Average a = average(values);
  result[prefix + "mean"] = a.mean;
  result[prefix + "deviation"] = values.size() > 1 ? ordered_json(a.deviation) : ordered_json(nullptr);
}

// Errors of one protocol; null if there are no records.
ordered_json result_json(const Shown& shown, std::optional<double> paper, const std::string& skipped) {
  if (shown.records.empty() && shown.failed.empty() && shown.planned == 0) return nullptr;
  ordered_json result = ordered_json::object();
  std::vector<double> all, unseen, first_half, within;
  ordered_json seeds = ordered_json::array(), files = ordered_json::array();
  for (const Record* r : shown.records) {
    all.push_back(r->errors.mse);
    if (r->errors.unseen) unseen.push_back(*r->errors.unseen);
    if (r->first_half) first_half.push_back(*r->first_half);
    if (r->within) within.push_back(*r->within);
    seeds.push_back(r->cell.seed);
    files.push_back(file_name(r));
  }
  add_average(result, "", all);
  add_average(result, "unseen_", unseen);
  add_average(result, "first_half_", first_half);
  add_average(result, "within_", within);
  if (!all.empty() && paper) result["ratio"] = result["mean"].get<double>() / *paper;
  result["seeds"] = seeds;
  result["records"] = files;
  for (const Record* r : shown.failed)
    result["failed"].push_back({{"cell", r->cell.name()}, {"seed", r->cell.seed}, {"reason", r->failed}});
  if (shown.planned > 0) result["not_done"] = shown.planned;
  if (shown.planned > 0 && !skipped.empty()) result["skipped"] = skipped;
  return result;
}

// A baseline's errors at one place: one record per seed, LG-ODE's if it has one.
ordered_json classical_json(const std::string& name, const std::map<Place, Shown>& shown, Cell cell) {
  std::map<std::uint64_t, const Errors*> by_seed;
  std::vector<std::string> rows = {"lg-ode"};
  for (const PaperRow& row : kRows) rows.emplace_back(row.name);
  for (const std::string& row : rows) {
    cell.row = row;
    const auto found = shown.find(place_of(cell));
    if (found == shown.end()) continue;
    for (const Record* r : found->second.records)
      if (const auto errors = r->classical.find(name); errors != r->classical.end())
        by_seed.insert({r->cell.seed, &errors->second});
  }
  if (by_seed.empty()) return nullptr;
  std::vector<double> all, unseen;
  ordered_json seeds = ordered_json::array();
  for (const auto& [seed, errors] : by_seed) {
    all.push_back(errors->mse);
    if (errors->unseen) unseen.push_back(*errors->unseen);
    seeds.push_back(seed);
  }
  ordered_json result = ordered_json::object();
  add_average(result, "", all);
  add_average(result, "unseen_", unseen);
  result["seeds"] = seeds;
  return result;
}

ordered_json table_json(std::string_view task, const std::map<Place, Shown>& shown, const TableContext& context) {
  const auto columns = [&](const auto& fill) {
    ordered_json cells = ordered_json::array();
    for (const std::string_view dataset : kDatasets)
      for (const int observed : kObserved) {
        ordered_json cell = {{"dataset", dataset}, {"observed", observed}};
        fill(cell, Cell{std::string(dataset), std::string(task), observed, {}, {}, 0});
        cells.push_back(cell);
      }
    return cells;
  };
  ordered_json table = {{"task", task}, {"rows", ordered_json::array()}, {"classical", ordered_json::array()}};
  for (const PaperRow& row : kRows) {
    const auto fill = [&](ordered_json& json, Cell cell) {
      cell.row = row.name;
      std::optional<double> paper = paper_error(cell.task, cell.dataset, cell.observed, row.name);
      if (paper) *paper *= 0.01;
      json["paper"] = paper ? ordered_json(*paper) : ordered_json(nullptr);
      for (const char* protocol : {"clean", "paper"}) {
        cell.protocol = protocol;
        const auto found = shown.find(place_of(cell));
        const auto skipped = context.skipped.find(cell.dataset);
        json[std::string("protocol_") + protocol] =
            result_json(found == shown.end() ? Shown{} : found->second, paper,
                        skipped == context.skipped.end() ? "" : skipped->second);
      }
    };
    const ordered_json cells = columns(fill);
    const auto empty = [](const ordered_json& cell) {
      return cell["paper"].is_null() && cell["protocol_clean"].is_null() && cell["protocol_paper"].is_null();
    };
    if (std::all_of(cells.begin(), cells.end(), empty)) continue;
    table["rows"].push_back({{"row", row.name}, {"shown", row.shown}, {"cells", cells}});
  }
  for (const ClassicalMethod& method : kClassicalMethods) {
    if (!method.in_paper_tables) continue;
    const std::string name(method.key);
    const auto fill = [&](ordered_json& json, Cell cell) {
      for (const char* protocol : {"clean", "paper"}) {
        cell.protocol = protocol;
        json[std::string("protocol_") + protocol] = classical_json(name, shown, cell);
      }
    };
    table["classical"].push_back({{"name", name}, {"cells", columns(fill)}});
  }
  return table;
}

// Readers compare rows and columns, so the notes list options in which their trainings differ. Options that follow from
// the data set or define the row are ignored, and so is the row that the paper lacks: it has settings of its own.
void note_differences(const std::map<Place, Shown>& shown, std::vector<std::string>& notes) {
  static const std::set<std::string> own = {"seed",   "observed",  "protocol", "task",  "model", "variant",
                                            "window", "grid_step", "cell",     "sweep", "ode"};
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;
  for (const auto& [place, s] : shown)
    for (const Record* r : s.records)
      for (const auto& [key, value] : r->config.items())
        if (r->cell.row != "ours" && !own.contains(key) && !is_of_machine(key))
          values[fmt::format("{}, {}, protocol {}", r->cell.dataset, r->cell.task, r->cell.protocol)][key].insert(
              json_text(value));
  for (const auto& [part, options] : values)
    for (const auto& [key, found] : options)
      if (found.size() > 1)
        notes.push_back(fmt::format("{}: cells differ in {}: {}", part, key, fmt::join(found, ", ")));
}

// Sources of the numbers: sizes, epochs, seeds, commits, machines.
ordered_json sources_json(const std::map<Place, Shown>& shown) {
  std::map<std::string, std::map<std::string, std::set<std::int64_t>>> sizes;
  std::set<std::string> commits, devices;
  std::set<std::uint64_t> seeds;
  for (const auto& [place, s] : shown) {
    for (const Record* r : s.records) {
      auto& size = sizes[r->cell.dataset];
      size["train_systems"].insert(r->train_systems);
      size["test_systems"].insert(r->test_systems);
      size["epochs_" + r->cell.task].insert(r->epochs);
      commits.insert(r->commit);
      devices.insert(r->device);
      seeds.insert(r->cell.seed);
    }
  }
  return {{"sizes", sizes}, {"seeds", seeds}, {"commits", commits}, {"machines", devices}};
}

}  // namespace

Average average(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Average result;
  for (const double x : values) result.mean += x / n;
  double squares = 0;
  for (const double x : values) squares += (x - result.mean) * (x - result.mean);
  if (values.size() > 1) result.deviation = std::sqrt(squares / (n - 1));
  return result;
}

ordered_json make_tables(const std::vector<Record>& records, const TableContext& context) {
  std::vector<std::string> notes = context.notes;
  const std::map<Place, Shown> shown = arrange(records, context, notes);
  note_differences(shown, notes);
  ordered_json tables = {
      {"unit", "mean squared error of normalised features, not multiplied by 100"},
      {"paper",
       "Huang, Sun, Wang: Learning Continuous System Dynamics from Irregularly-Sampled Partial Observations, NeurIPS "
       "2020"},
      {"scale", context.scale.empty() ? ordered_json(nullptr) : ordered_json(context.scale)},
      {"made_by", context.commit},
      {"sources", sources_json(shown)},
      {"tables", ordered_json::array()}};
  for (const std::string_view task : kTasks) tables["tables"].push_back(table_json(task, shown, context));
  tables["skipped"] = context.skipped;
  tables["notes"] = notes;
  return tables;
}

}  // namespace lgode::reproduce
