// Fuzzes the CSV import: the first byte chooses options, a form feed separates the tables of observations and edges.
// The tables may be packed.
#include <optional>

#include "lgode/table/import.h"
#include "memory_file.h"
#include "target.h"

void lgode::fuzz::run(std::string_view input) {
  const auto choice = static_cast<unsigned char>(input.empty() ? '0' : input.front());
  input.remove_prefix(input.empty() ? 0 : 1);
  const std::size_t border = input.find('\f');
  // Parquet would start Python.
  if (input.starts_with("PAR1")) return;
  const MemoryFile observations(input.substr(0, border));
  std::optional<MemoryFile> edges;
  table::ImportOptions options;
  options.observations = {observations.path()};
  options.threads = 1;
  options.scratch_folder = "/tmp";
  options.skip_bad_rows = (choice & 1U) != 0;
  options.format.decimal_comma = (choice & 2U) != 0;
  if ((choice & 4U) != 0) options.arrangement.window = 2.0;
  if ((choice & 64U) != 0) options.roles.object_from = table::ObjectFrom::kFile;
  if (border != std::string_view::npos) {
    edges.emplace(input.substr(border + 1));
    options.relations.table = edges->path();
  } else if ((choice & 8U) != 0) {
    options.relations.rule = data::EdgeRule::Kind::kNearest;
    options.relations.neighbours = 2;
  }
  table::ImportReport report;
  table::import_csv(options, report);
}
