// Relations between objects that are not known yet.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lgode/table/csv/row_stream.h"
#include "table/edge_rows.h"

namespace lgode::table {

std::vector<NamedRelation> read_named_relations(const std::filesystem::path& path,
                                                const data::Description& description) {
  constexpr std::int64_t kMostProblems = 20;
  Problems problems({path.string()}, kMostProblems);
  EdgeRows rows(path, {.decimal_comma = description.decimal_comma, .usual_names = true}, problems);
  const std::vector<std::string>& types = description.relation_types;
  std::vector<NamedRelation> list;
  rows.read([&](const EdgeTexts& edge) {
    NamedRelation relation{std::string(edge.system.value_or("")), std::string(edge.source), std::string(edge.target)};
    relation.weight = edge.weight;
    if (edge.type) {
      const auto found = std::find(types.begin(), types.end(), *edge.type);
      if (found == types.end())
        return rows.refuse(EdgeRows::Column::kType, *edge.type,
                           fmt::format("one of the types {}", fmt::join(types, ", ")));
      relation.type = static_cast<std::int32_t>(found - types.begin());
    }
    list.push_back(std::move(relation));
  });
  problems.throw_if_any("correct them");
  return list;
}

}  // namespace lgode::table
