// Selects the rows of each table and averages them.
#include "lgode/benchmark/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "lgode/benchmark/masks.h"
#include "lgode/benchmark/paths.h"
#include "lgode/reproduce/tables.h"
#include "lgode/use/format.h"

namespace lgode::benchmark {
namespace {

using reproduce::average;
using Values = std::vector<std::optional<Figure>>;  // by fold

const char* const kEmpty = "–";
constexpr std::size_t kDecimals = 3;

std::string number(double x, std::size_t decimals = kDecimals) { return fmt::format("{:.{}f}", x, decimals); }

std::string text_of(const std::optional<Figure>& figure) {
  if (!figure) return kEmpty;
  return number(figure->first) + (figure->second ? "/" + number(*figure->second) : "");
}

std::optional<Figure> mean_of(const Values& values) {
  Figure mean;
  double second = 0;
  for (const auto& value : values) {
    if (!value) return std::nullopt;
    mean.first += value->first / static_cast<double>(values.size());
    second += value->second.value_or(0) / static_cast<double>(values.size());
  }
  if (!values.empty() && values[0]->second) mean.second = second;
  return mean;
}

std::optional<Figure> figure_of(const Score& score, Measure measure) {
  if (measure == Measure::kMae) return score.values > 0 ? std::optional(Figure{score.mae}) : std::nullopt;
  if (score.people == 0) return std::nullopt;
  if (measure == Measure::kOne) return Figure{score.ade, score.fde};
  return score.best ? std::optional(Figure{score.best->ade, score.best->fde}) : std::nullopt;
}

// One table in the making.
class Maker {
 public:
  Maker(const Protocol& protocol, const Group& group, Measure measure, const std::vector<Record>& records)
      : protocol_(protocol), group_(group), measure_(measure), records_(records) {}

  // By fold, of one row and seed.
  Values values(const std::string& row, std::uint64_t seed) const {
    Values values(protocol_.folds.size());
    for (const Record& record : records_) {
      if (record.job.row != row || record.job.seed != seed || !record.failed.empty()) continue;
      const auto score = record.scores.find(group_.name);
      for (std::size_t f = 0; f < values.size(); ++f)
        if (protocol_.folds[f].name == record.job.fold && score != record.scores.end())
          values[f] = figure_of(score->second, measure_);
    }
    return values;
  }

  std::vector<std::uint64_t> seeds() const {
    std::vector<std::uint64_t> seeds;
    for (const Record& record : records_)
      if (record.job.trains() && record.job.task == group_.task && record.failed.empty())
        seeds.push_back(record.job.seed);
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    return seeds;
  }

  std::optional<TableRow> classical(const std::string& row, const std::string& name) const {
    const Values found = values(row, 0);
    if (std::none_of(found.begin(), found.end(), [](const auto& v) { return v.has_value(); })) return std::nullopt;
    return row_of(TableRow::Kind::kClassical, name, found, mean_of(found));
  }

  // The mean over seeds in each column.
  std::optional<TableRow> ours() const {
    std::vector<Values> runs;
    for (const std::uint64_t seed : seeds()) runs.push_back(values(kModelRow, seed));
    Values means(protocol_.folds.size());
    bool any = false;
    for (std::size_t f = 0; f < means.size(); ++f) {
      Values of_seeds;
      for (const Values& run : runs)
        if (run[f]) of_seeds.push_back(run[f]);
      if (!of_seeds.empty()) means[f] = mean_of(of_seeds), any = true;
    }
    if (!any) return std::nullopt;
    const std::string name = "ours, " + (runs.size() == 1 ? "1 seed" : fmt::format("{} seeds", runs.size()));
    TableRow row = row_of(TableRow::Kind::kOurs, name, means, mean_of(means));
    std::vector<double> first, second;
    for (const Values& run : runs)
      if (const auto mean = mean_of(run)) {
        first.push_back(mean->first);
        if (mean->second) second.push_back(*mean->second);
      }
    if (first.size() > 1 && first.size() == runs.size())
      row.cells.back() +=
          " ± " + number(average(first).deviation) + (second.empty() ? "" : "/" + number(average(second).deviation));
    return row;
  }

  TableRow published(const Published& from, std::size_t source) const {
    Values values(from.folds.begin(), from.folds.end());
    if (values.empty()) values.resize(protocol_.folds.size());
    const std::string name = fmt::format("{} [{}]{}", from.method, source, from.from_others ? "*" : "");
    return row_of(TableRow::Kind::kPublished, name, values, from.mean ? from.mean : mean_of(values));
  }

 private:
  TableRow row_of(TableRow::Kind kind, const std::string& name, const Values& values,
                  const std::optional<Figure>& mean) const {
    TableRow row{kind, name, {}};
    for (const auto& value : values) row.cells.push_back(text_of(value));
    if (values.size() > 1) row.cells.push_back(text_of(mean));
    return row;
  }

  const Protocol& protocol_;
  const Group& group_;
  Measure measure_;
  const std::vector<Record>& records_;
};

std::string title_of(const Protocol& protocol, const Group& group, Measure measure) {
  switch (measure) {
    case Measure::kOne:
      return fmt::format("One path, {}: ADE/FDE in {}", group.title, protocol.unit);
    case Measure::kBest:
      return fmt::format("Best of 20, {}: ADE/FDE in {}", group.title, protocol.unit);
    case Measure::kMae:
      return fmt::format("Imputation, {}: mean absolute error of hidden coordinates in {}", group.title, protocol.unit);
  }
  return {};
}

// Whether published rows may stand beside ours, and what to say about it.
bool comparable(const Protocol& protocol, const std::vector<Record>& records, std::vector<std::string>& notes) {
  if (!protocol.hides()) return true;
  const auto hard =
      std::find_if(protocol.groups.begin(), protocol.groups.end(), [](const Group& g) { return g.name == "hard"; });
  const Maker maker(protocol, *hard, Measure::kOne, records);
  const auto mean = mean_of(maker.values(classical_method(Classical::kConstantVelocity).word, 0));
  const std::string published = fmt::format("{:.2f}/{:.2f}", kHardAde, kHardFde);
  if (!mean) {
    notes.push_back(
        "Published rows are left out: they are shown once constant velocity has been measured in all scenes, "
        "which tells whether the masks are alike.");
    return false;
  }
  const bool alike = masks_are_comparable(mean->first, *mean->second);
  notes.push_back(fmt::format("Constant velocity on our masks has {} in hard, on the published files {}: {}.",
                              text_of(mean), published,
                              alike ? "within 3 %, so published rows stand beside ours"
                                    : "more than 3 % apart, so published rows are left out"));
  return alike;
}

void add_failures(const std::vector<Record>& records, std::vector<std::string>& notes) {
  for (const Record& record : records)
    if (!record.failed.empty()) notes.push_back(fmt::format("{} failed: {}", record.job.name(), record.failed));
}

// The futures that best-of figures are of, where they are not 20.
void add_futures(const std::vector<Record>& records, std::vector<std::string>& notes) {
  for (const Record& record : records)
    for (const auto& [group, score] : record.scores)
      if (score.best && score.futures != 20) {
        notes.push_back(fmt::format("Ours under best of 20 is the best of {}.", score.futures));
        return;
      }
}

}  // namespace

Report make_report(const Protocol& protocol, const std::vector<Record>& all, std::vector<std::string> notes) {
  std::vector<Record> records;
  std::copy_if(all.begin(), all.end(), std::back_inserter(records),
               [&](const Record& record) { return record.benchmark == protocol.name; });
  Report report{protocol.title, {}, std::move(notes), {}};
  const bool with_published = comparable(protocol, records, report.notes);
  std::map<std::size_t, std::size_t> cited;  // number in sources() -> number in the report
  bool others = false;
  for (const Group& group : protocol.groups)
    for (const Measure measure : {Measure::kOne, Measure::kBest, Measure::kMae}) {
      if ((measure == Measure::kMae) != (group.task == Task::kImpute)) continue;
      const Maker maker(protocol, group, measure, records);
      Table table{title_of(protocol, group, measure), {}, {}};
      for (const Fold& fold : protocol.folds) table.columns.push_back(fold.name);
      if (table.columns.size() > 1) table.columns.emplace_back("mean");
      if (const auto ours = maker.ours()) table.rows.push_back(*ours);
      for (const ClassicalMethod& method : classical_rows())
        if (const auto row = maker.classical(method.word, std::string(method.name))) table.rows.push_back(*row);
      if (const auto row = maker.classical(kLineRow, "straight line")) table.rows.push_back(*row);
      if (table.rows.empty()) continue;
      for (const Published& from : published()) {
        if (!with_published || from.benchmark != protocol.name || from.measure != measure) continue;
        if (std::find(from.groups.begin(), from.groups.end(), group.name) == from.groups.end()) continue;
        const auto place = cited.try_emplace(from.source, cited.size() + 1).first;
        if (place->second > report.sources.size()) report.sources.push_back(sources()[from.source]);
        others = others || from.from_others;
        table.rows.push_back(maker.published(from, place->second));
      }
      report.tables.push_back(table);
    }
  if (others) report.notes.push_back("* Measured by others than the method's authors, and read in their table.");
  add_futures(records, report.notes);
  add_failures(records, report.notes);
  return report;
}

}  // namespace lgode::benchmark
