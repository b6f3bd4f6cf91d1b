// Writes the tables of a lgode reproduce folder from its records.
#include "lgode/reproduce/tables.h"

#include <fmt/format.h>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/version.h"
#include "reproduction/reproduction.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;
using namespace reproduce;
using nlohmann::json;

void write_both(const fs::path& folder, const nlohmann::ordered_json& tables) {
  write_file(folder / "tables.json", Overwrite::kAllow, json_text(tables, 1) + "\n");
  write_file(folder / "tables.md", Overwrite::kAllow, tables_markdown(tables));
}

}  // namespace

std::string scale_text(const json& settings) {
  const json scale = settings.is_object() ? settings.value("scale", json()) : json();
  const json systems = settings.is_object() ? settings.value("systems", json()) : json();
  if (!scale.is_string()) return {};
  return scale.get<std::string>() +
         (systems.is_null() ? "" : fmt::format(" with {} simulated training systems", json_text(systems)));
}

void Reproduction::write_tables() const {
  TableContext context;
  context.scale = scale_text(own_settings());
  context.commit = LGODE_COMMIT;
  context.skipped = skipped_;
  for (const Work& work : work_) context.planned.push_back(work.cell);
  std::vector<Record> records;
  if (const fs::path folder = options_.out / "records"; fs::exists(folder))
    records = read_records(folder, context.notes);
  write_both(options_.out, make_tables(records, context));
}

std::int64_t rebuild_tables(const fs::path& folder) {
  TableContext context;
  context.commit = LGODE_COMMIT;
  const fs::path records_in = fs::is_directory(folder / "records") ? folder / "records" : folder;
  const std::vector<Record> records = read_records(records_in, context.notes);
  if (records.empty())
    throw DataError(fmt::format("{}: holds no result records (of lgode evaluate --record or lgode reproduce)",
                                records_in.string()));
  if (const fs::path path = folder / "settings.json"; fs::exists(path))
    context.scale = scale_text(read_json_file(path.string()));
  write_both(folder, make_tables(records, context));
  return static_cast<std::int64_t>(records.size());
}

}  // namespace lgode::app
