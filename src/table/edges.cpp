// The edge table: system, source, target, type and weight by name; only source and target are required. Without a
// system column an edge holds in every system that has both objects.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/table/csv/cursor.h"
#include "table/csv/layout.h"
#include "table/observations.h"

namespace lgode::table {
namespace {

class EdgeReader {
 public:
  EdgeReader(const ImportContext& context, const ObjectIndex& index, Problems& problems,
             const std::unordered_set<std::string>& excused)
      : options_(context.options), context_(context), index_(index), problems_(problems), excused_(excused) {
    if (context.edges != nullptr) {
      columns_ = {context.edges->where, context.edges->columns};
    } else {
      file_.emplace(options_.edge_table, options_.delimiter);
      columns_ = names_of(*file_);
    }
    for (const auto& [what, name] : options_.edge_columns)
      if (what != "system" && what != "source" && what != "target" && what != "type" && what != "weight")
        throw ConfigError(
            fmt::format("`edge_columns` {}={}: expected one of system, source, target, type, weight "
                        "before the =",
                        what, name));
    system_ = column("system", false);
    source_ = column("source", true);
    target_ = column("target", true);
    type_ = column("type", false);
    weight_ = column("weight", false);
    table_.by_system.resize(index.systems().size());
    seen_.resize(index.systems().size());
    if (options_.known)
      table_.types = options_.known->description.relation_types;
    else if (!options_.same_types.empty())
      table_.types = options_.same_types;
    else if (type_ == kNoColumn)
      table_.types = {"related"};
  }

  EdgeTable read() {
    if (context_.edges != nullptr)
      read_rows(*context_.edges);
    else
      read_file();
    if (table_.types.empty()) table_.types = {"related"};
    return std::move(table_);
  }

 private:
  void read_rows(const TextTable& table) {
    for (const std::vector<std::string>& row : table.rows) {
      const std::vector<std::string_view> fields(row.begin(), row.end());
      add_row(fields);
      ++line_;
    }
  }

  void read_file() {
    std::int64_t line = file_->header_lines() + 1;
    std::string block;
    while (file_->next(block)) {
      context_.check_stop();
      CsvCursor cursor(block, file_->delimiter());
      while (cursor.next()) {
        line_ = line + cursor.line();
        add_row(cursor);
      }
      line += cursor.lines();
    }
  }

  std::size_t column(const std::string& what, bool needed) const {
    const auto given = options_.edge_columns.find(what);
    if (given != options_.edge_columns.end())
      return find_column(columns_, given->second, fmt::format("`edge_columns` {}=", what));
    const auto& header = columns_.names;
    const auto found = std::find(header.begin(), header.end(), what);
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
    if (!needed) return kNoColumn;
    throw ConfigError(
        fmt::format("{}: has no column '{}'; name the one to take with `edge_columns` {}=NAME; its "
                    "columns are {}",
                    columns_.where, what, what, fmt::join(header, ", ")));
  }

  bool refuse(std::size_t column, std::string_view found, std::string expected) {
    problems_.add({.line = line_,
                   .column = column == kNoColumn ? "" : columns_.names[column],
                   .found = std::string(found),
                   .expected = std::move(expected),
                   .is_row = context_.edges != nullptr});
    return false;
  }

  bool excused(std::string_view id) const { return excused_.contains(std::string(id)); }

  bool add_row(const CsvCursor& cursor) {
    if (cursor.fault()) {
      refuse(kNoColumn, cursor.fault()->found, cursor.fault()->expected);
      if (cursor.fault()->unclosed) problems_.throw_if_any("close the quote");
      return false;
    }
    return add_row(cursor.fields());
  }

  bool add_row(std::span<const std::string_view> fields) {
    if (fields.size() != columns_.names.size())
      return refuse(kNoColumn, fmt::format("{} fields", fields.size()),
                    fmt::format("{} as in the header", columns_.names.size()));
    if (fields[source_] == fields[target_])
      return refuse(target_, fields[target_], "another object than the source; an object does not act on itself");
    float weight = 1.0F;
    if (weight_ != kNoColumn && !parse_weight(fields[weight_], weight)) return false;
    std::vector<std::uint32_t> systems;
    if (!find_systems(fields, systems)) return false;
    const std::int32_t type = type_ == kNoColumn ? 0 : find_type(fields[type_]);
    if (type < 0)
      return refuse(type_, fields[type_], fmt::format("one of the types {}", fmt::join(table_.types, ", ")));
    bool fresh = false;
    bool same = true;
    for (const std::uint32_t system : systems) fresh |= add_edge(system, fields, type, weight, same);
    if (fresh) return true;
    // An undirected edge may be given in both directions.
    if (options_.undirected && same) return false;
    return refuse(kNoColumn, fmt::format("{} to {}", fields[source_], fields[target_]),
                  options_.undirected ? "one weight for both directions; this edge occurred before with another"
                                      : "each edge once; this one occurred before");
  }

  bool parse_weight(std::string_view field, float& weight) {
    if (field.empty()) return true;
    if (options_.known) {
      // The shortest text of a float; by way of a double it would be rounded twice.
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), weight);
      if (error == std::errc() && end == field.data() + field.size() && weight > 0) return true;
    } else if (const auto number = parse_number(field, options_.decimal_comma)) {
      weight = static_cast<float>(*number);
      if (weight > 0 && std::isfinite(weight)) return true;
    }
    return refuse(weight_, field, "a weight above 0; leave out edges that do not act");
  }

  // The systems that the edge holds in.
  bool find_systems(std::span<const std::string_view> fields, std::vector<std::uint32_t>& systems) {
    if (system_ != kNoColumn) {
      const auto system = index_.find_system(fields[system_]);
      if (!system && excused(fields[system_])) return false;
      if (!system)
        return refuse(system_, fields[system_],
                      "a system of the observations" + meant(fields[system_], index_.systems()));
      for (const std::size_t end : {source_, target_}) {
        if (index_.find(*system, fields[end])) continue;
        if (excused(fields[end])) return false;
        return refuse(end, fields[end],
                      fmt::format("an object of system '{}'{}", index_.systems()[*system],
                                  meant(fields[end], objects_of(*system))));
      }
      systems = {*system};
      return true;
    }
    for (std::uint32_t s = 0; s < index_.systems().size(); ++s)
      if (index_.find(s, fields[source_]) && index_.find(s, fields[target_])) systems.push_back(s);
    if (!systems.empty()) return true;
    if (excused(fields[source_]) || excused(fields[target_])) return false;
    for (const std::size_t end : {source_, target_}) {
      const bool somewhere = std::any_of(index_.objects().begin(), index_.objects().end(),
                                         [&](const auto& object) { return object.id == fields[end]; });
      if (!somewhere)
        return refuse(end, fields[end], "an object of the observations" + meant(fields[end], objects_of(0)));
    }
    return refuse(target_, fields[target_], "an object that is in one system with the source");
  }

  std::vector<std::string> objects_of(std::uint32_t system) const {
    std::vector<std::string> ids;
    for (const ObjectIndex::Object& object : index_.objects())
      if (object.system == system) ids.push_back(object.id);
    return ids;
  }

  static std::string meant(std::string_view word, const std::vector<std::string>& candidates) {
    // Searching very many names for a typing error takes too long.
    constexpr std::size_t kMost = 10000;
    const std::string near = candidates.size() > kMost ? std::string() : nearest(word, candidates);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
  }

  // Negative if the set's types are known and this is not one of them.
  std::int32_t find_type(std::string_view name) {
    const auto found = std::find(table_.types.begin(), table_.types.end(), name);
    if (found != table_.types.end()) return static_cast<std::int32_t>(found - table_.types.begin());
    if (options_.known || !options_.same_types.empty()) return -1;
    table_.types.emplace_back(name);
    return static_cast<std::int32_t>(table_.types.size()) - 1;
  }

  // False if it was added before; `same` stays true if it had the same weight.
  bool add_edge(std::uint32_t system, std::span<const std::string_view> fields, std::int32_t type, float weight,
                bool& same) {
    const std::uint32_t source = *index_.find(system, fields[source_]);
    const std::uint32_t target = *index_.find(system, fields[target_]);
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      // An exported set is restored exactly.
      if (!options_.known) {
        const auto [was, fresh] = seen_[system].try_emplace({from, to, type}, weight);
        same = same && was->second == weight;
        if (!fresh) return false;
      }
      table_.by_system[system].push_back({from, to, type, weight});
      return true;
    };
    const bool fresh = add(source, target);
    return (options_.undirected && add(target, source)) || fresh;
  }

  const ImportOptions& options_;
  const ImportContext& context_;
  const ObjectIndex& index_;
  std::optional<CsvFile> file_;
  ColumnNames columns_;
  Problems& problems_;
  const std::unordered_set<std::string>& excused_;
  std::size_t system_ = 0, source_ = 0, target_ = 0, type_ = 0, weight_ = 0;
  std::int64_t line_ = 0;
  EdgeTable table_;
  std::vector<std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, float>> seen_;  // weights
};

}  // namespace

EdgeTable read_edges(const ImportContext& context, const ObjectIndex& index, Problems& problems,
                     const std::unordered_set<std::string>& excused) {
  return EdgeReader(context, index, problems, excused).read();
}

}  // namespace lgode::table
