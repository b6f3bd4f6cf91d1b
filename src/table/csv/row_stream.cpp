// Reads rows live with the parser of the import, and relations between objects that are not known yet.
#include "lgode/table/csv/row_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/time_text.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/import.h"
#include "table/csv/block.h"
#include "table/csv/layout.h"

namespace lgode::table {
namespace {

// The set's column of systems may be absent.
ImportOptions options_for(const CsvFile& file, const data::Description& description) {
  ImportOptions options = table_import(description);
  const auto& header = file.header();
  if (!options.system.empty() && options.system.find(',') == std::string::npos &&
      std::find(header.begin(), header.end(), options.system) == header.end())
    options.system.clear();
  return options;
}

void refuse_others(const CsvFile& file, const Layout& layout) {
  for (std::size_t c = 0; c < layout.width; ++c) {
    const bool known = c == layout.object || c == layout.time || layout.names[c].empty() ||
                       std::find(layout.system.begin(), layout.system.end(), c) != layout.system.end() ||
                       std::find(layout.features.begin(), layout.features.end(), c) != layout.features.end();
    if (known) continue;
    std::vector<std::string> features;
    for (const std::size_t f : layout.features) features.push_back(layout.names[f]);
    throw ConfigError(fmt::format(
        "{}: column '{}' is none of the run's, whose features are {}; leave it out, or pass `ignore_others`",
        file.path().string(), layout.names[c], fmt::join(features, ", ")));
  }
}

}  // namespace

struct RowStream::Impl {
  Impl(const std::filesystem::path& path, data::Description about, bool ignore_others, const StopFlag* stop)
      : description(std::move(about)),
        file(path, description.delimiter.empty() ? '\0' : description.delimiter.front(), /*exact_names=*/false,
             description.header, CsvFile::Live{stop}),
        layout(make_layout(file, options_for(file, description), /*stems=*/false)),
        line(file.header_lines() + 1) {
    if (!ignore_others) refuse_others(file, layout);
    layout.kind = TimeKind::kNumber;
    if (description.time_format.empty()) return;
    const data::TimeStyle style = data::style_of_pattern(description.time_format);
    layout.kind = style.date ? TimeKind::kDate : TimeKind::kClock;
    layout.zoned = !style.zone.empty();
    if (const auto instant = data::parse_iso8601(description.time_origin); instant && style.date)
      origin = instant->nanoseconds;
  }

  double time_of(double parsed) const {
    if (layout.kind == TimeKind::kNumber) return description.rate > 0 ? parsed / description.rate : parsed;
    return data::seconds_of(std::bit_cast<std::int64_t>(parsed) - origin);
  }

  data::Description description;
  CsvFile file;
  Layout layout;
  std::int64_t line;
  std::int64_t origin = 0;  // nanoseconds
};

RowStream::RowStream(const std::filesystem::path& path, data::Description description, bool ignore_others,
                     const StopFlag* stop)
    : impl_(std::make_unique<Impl>(path, std::move(description), ignore_others, stop)) {}

RowStream::~RowStream() = default;

const std::filesystem::path& RowStream::path() const { return impl_->file.path(); }

bool RowStream::next(std::vector<StreamRow>& rows, std::vector<Problem>& bad) {
  rows.clear();
  BlockRows block;
  if (!impl_->file.next(block.text)) return false;
  parse_block(impl_->layout, block);
  const std::vector<data::Feature>& features = impl_->description.features;
  const std::size_t given = impl_->layout.features.size();
  for (std::size_t i = 0; i < block.object.size(); ++i) {
    const auto& [system, object] = block.keys[block.object[i]];
    StreamRow row{system, object, impl_->time_of(block.time[i]), {}, impl_->line + block.line[i]};
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

std::vector<NamedRelation> read_named_relations(const std::filesystem::path& path,
                                                const data::Description& description) {
  CsvFile file(path, 0);
  const auto& header = file.header();
  const auto column = [&](const char* name) {
    const auto found = std::find(header.begin(), header.end(), name);
    return found == header.end() ? kNoColumn : static_cast<std::size_t>(found - header.begin());
  };
  const std::size_t system = column("system"), source = column("source"), target = column("target"),
                    type = column("type"), weight = column("weight");
  if (source == kNoColumn || target == kNoColumn)
    throw ConfigError(
        fmt::format("{}: needs the columns source and target, has {}", path.string(), fmt::join(header, ", ")));
  std::vector<NamedRelation> list;
  Problems problems({path.string()}, 20);
  std::int64_t line = file.header_lines() + 1;
  for (std::string block; file.next(block);) {
    CsvCursor cursor(block, file.delimiter());
    while (cursor.next()) {
      const auto fields = cursor.fields();
      const auto refuse = [&](std::size_t at, std::string_view found, std::string expected) {
        problems.add(
            {line + cursor.line(), at == kNoColumn ? "" : header[at], std::string(found), std::move(expected)});
      };
      if (cursor.fault() || fields.size() != header.size()) {
        refuse(kNoColumn, fmt::format("{} fields", fields.size()), fmt::format("{} as in the header", header.size()));
        continue;
      }
      NamedRelation r{system == kNoColumn ? "" : std::string(fields[system]), std::string(fields[source]),
                      std::string(fields[target])};
      if (type != kNoColumn) {
        const auto& types = description.relation_types;
        const auto found = std::find(types.begin(), types.end(), fields[type]);
        if (found == types.end()) {
          refuse(type, fields[type], fmt::format("one of the types {}", fmt::join(types, ", ")));
          continue;
        }
        r.type = static_cast<std::int32_t>(found - types.begin());
      }
      if (weight != kNoColumn && !fields[weight].empty()) {
        const std::optional<double> number = parse_number(fields[weight], description.decimal_comma);
        r.weight = number ? static_cast<float>(*number) : 0.0F;
        if (!(r.weight > 0 && std::isfinite(r.weight))) {
          refuse(weight, fields[weight], "a weight above 0; leave out edges that do not act");
          continue;
        }
      }
      if (r.source == r.target)
        refuse(target, r.target, "another object than the source; an object does not act on itself");
      else
        list.push_back(std::move(r));
    }
    line += cursor.lines();
  }
  problems.throw_if_any("correct them");
  return list;
}

}  // namespace lgode::table
