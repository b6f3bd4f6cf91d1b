// Reads rows live with the parser of the import.
#include "lgode/table/csv/row_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/time_text.h"
#include "lgode/table/clock.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/import.h"
#include "table/csv/block.h"
#include "table/csv/layout.h"

namespace lgode::table {
namespace {

ImportOptions options_for(const data::Description& description) {
  ImportOptions options = table_import(description);
  options.roles.system_may_lack = true;
  // A stream has the rows of many objects.
  options.roles.object_from = ObjectFrom::kColumn;
  return options;
}

// Times in seconds, or in a unit that nothing is known about.
bool is_second(const std::string& unit) {
  return unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds";
}

void refuse_others(const CsvFile& file, const Layout& layout) {
  for (std::size_t c = 0; c < layout.width; ++c) {
    const bool known =
        c == layout.roles.object || c == layout.roles.time || layout.names[c].empty() ||
        std::find(layout.roles.system.begin(), layout.roles.system.end(), c) != layout.roles.system.end() ||
        std::find(layout.roles.features.begin(), layout.roles.features.end(), c) != layout.roles.features.end();
    if (known) continue;
    std::vector<std::string> features;
    for (const std::size_t f : layout.roles.features) features.push_back(layout.names[f]);
    throw ConfigError(fmt::format(
        "{}: column '{}' is none of the run's, whose features are {}; leave it out, or pass `ignore_others`",
        file.path().string(), layout.names[c], fmt::join(features, ", ")));
  }
}

}  // namespace

struct RowStream::Impl {
  Impl(const std::filesystem::path& path, data::Description about, bool ignore_others, const StopFlag* stop,
       double rate)
      : description(std::move(about)),
        file(path, description.delimiter.empty() ? '\0' : description.delimiter.front(), /*exact_names=*/false,
             description.header, CsvFile::Live{stop}),
        layout(make_layout(file, options_for(description), /*stems=*/false)),
        clock(TableClock::from(description)),
        line(file.header_lines() + 1) {
    if (!ignore_others) refuse_others(file, layout);
    layout.kind = TimeKind::kNumber;
    if (rate > 0 && !description.time_format.empty())
      throw ConfigError(
          fmt::format("`rate` {}: is for times that are counts, but the run's data has dates or times of day", rate));
    if (rate > 0 && description.rate == 0 && !is_second(description.time_unit))
      throw ConfigError(
          fmt::format("`rate` {}: gives seconds, but the run's data has times in '{}'", rate, description.time_unit));
    rate_given = rate > 0;
    if (rate_given) clock.rate = rate;
    if (description.time_format.empty()) return;
    const data::TimeStyle style = data::style_of_pattern(description.time_format);
    layout.kind = style.date ? TimeKind::kDate : TimeKind::kClock;
    layout.zoned = !style.zone.empty();
  }

  // A run with a rate counts frames; a part of a frame is a time in seconds.
  bool is_fraction(const BlockRows& block, std::size_t row) const {
    return clock.rate > 0 && !rate_given && layout.kind == TimeKind::kNumber &&
           block.numbers[row] != std::floor(block.numbers[row]);
  }

  double time_of(const BlockRows& block, std::size_t row) const {
    return layout.kind == TimeKind::kNumber ? clock.number(block.numbers[row]) : clock.instant(block.instants[row]);
  }

  data::Description description;
  CsvFile file;
  Layout layout;
  TableClock clock;
  std::int64_t line;
  bool rate_given = false;
};

RowStream::RowStream(const std::filesystem::path& path, data::Description description, bool ignore_others,
                     const StopFlag* stop, double rate)
    : impl_(std::make_unique<Impl>(path, std::move(description), ignore_others, stop, rate)) {}

RowStream::~RowStream() = default;

const std::filesystem::path& RowStream::path() const { return impl_->file.path(); }

double RowStream::rate() const { return impl_->clock.rate; }

bool RowStream::next(std::vector<StreamRow>& rows, std::vector<Problem>& bad) {
  rows.clear();
  BlockRows block;
  if (!impl_->file.next(block.text)) return false;
  parse_block(impl_->layout, block);
  const std::vector<data::Feature>& features = impl_->description.features;
  const std::size_t given = impl_->layout.roles.features.size();
  for (std::size_t i = 0; i < block.object.size(); ++i) {
    const auto& [system, object] = block.keys[block.object[i]];
    StreamRow row{system, object, impl_->time_of(block, i), {}, impl_->line + block.line[i]};
    if (impl_->layout.kind != TimeKind::kNumber && std::isnan(row.time)) {
      bad.push_back({.line = row.line,
                     .column = impl_->layout.names[impl_->layout.roles.time],
                     .found = data::format_iso8601(block.instants[i], {}),
                     .expected = "a time less than 292 years from the data set's"});
      continue;
    }
    if (impl_->is_fraction(block, i)) {
      bad.push_back({.line = row.line,
                     .column = impl_->layout.names[impl_->layout.roles.time],
                     .found = fmt::format("{}", block.numbers[i]),
                     .expected = fmt::format("a whole number: the run's table counts {:g} per second; if these times "
                                             "are seconds, pass `rate` 1",
                                             impl_->clock.rate)});
      continue;
    }
    std::size_t at = i * given;
    for (const data::Feature& f : features)
      row.values.push_back(f.derived ? std::numeric_limits<double>::quiet_NaN() : block.values[at++]);
    rows.push_back(std::move(row));
  }
  for (Problem& problem : block.problems) {
    problem.line += impl_->line;
    bad.push_back(std::move(problem));
  }
  impl_->line += block.lines;
  return true;
}

}  // namespace lgode::table
