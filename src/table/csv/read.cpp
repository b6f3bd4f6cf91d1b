// Reads the observation table: blocks of the file are parsed in parallel and joined in their order, so that the result
// does not depend on the number of threads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/parallel.h"
#include "lgode/core/threads.h"
#include "table/csv/block.h"
#include "table/csv/layout.h"
#include "table/csv/text_columns.h"
#include "table/import_context.h"

namespace lgode::table {
namespace {

// Joins the rows of blocks in the order of the file.
class Joiner {
 public:
  Joiner(ObservationTable& table, const ImportOptions& options, Problems& problems)
      : table_(table), options_(options), problems_(problems) {}

  // The blocks that follow belong to another file.
  void begin_file(const std::filesystem::path& path, std::int64_t first_line) {
    const std::int64_t before = table_.files.empty() ? 0 : table_.files.back().lines_before + line_;
    table_.files.push_back({path.string(), before});
    line_ = first_line;
  }

  void add(const BlockRows& block) {
    for (const Problem& problem : block.problems) {
      Problem placed = problem;
      placed.line += line_;
      placed.file = table_.files.size() - 1;
      problems_.add(std::move(placed));
    }
    std::vector<std::uint32_t> objects;
    objects.reserve(block.keys.size());
    for (std::size_t k = 0; k < block.keys.size(); ++k) objects.push_back(place(block, k));
    const std::size_t rows = block.object.size();
    const auto object = table_.object.extend(rows);
    const auto line = table_.lines.extend(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      object[i] = objects[block.object[i]];
      line[i] = static_cast<std::uint32_t>(table_.files.back().lines_before + block.line[i] + line_);
    }
    copy(block.numbers, table_.own.numbers);
    copy(block.instants, table_.own.instants);
    copy(block.values, table_.own.values);
    if (table_.time.instants) {
      table_.time.instants->digits = std::max(table_.time.instants->digits, block.digits);
      table_.time.instants->seconds |= block.seconds;
    }
    table_.compact_dates = table_.compact_dates && block.compact_dates;
    table_.bad_ids.insert(block.bad_ids.begin(), block.bad_ids.end());
    line_ += block.lines;
  }

 private:
  std::uint32_t place(const BlockRows& block, std::size_t k) {
    const auto& [system, object] = block.keys[k];
    if (!options_.known) {
      const std::uint32_t s = table_.index.add_system(system);
      note_file(s);
      return table_.index.add(s, object);
    }
    const auto s = table_.index.find_system(system);
    const auto o = s ? table_.index.find(*s, object) : std::nullopt;
    if (o) return *o;
    throw DataError(Problem{block.key_lines[k] + line_, "object", object,
                            fmt::format("an object of system '{}' that dataset.json lists", system)}
                        .text(table_.files.back().path));
  }

  void note_file(std::uint32_t system) {
    if (system >= file_of_.size()) file_of_.resize(system + 1, table_.files.size());
    if (file_of_[system] != table_.files.size()) table_.shared_systems.insert(system);
  }

  template <class T>
  static void copy(const std::vector<T>& from, ScratchArray<T>& to) {
    const auto place = to.extend(from.size());
    if (!from.empty()) std::memcpy(place.data(), from.data(), place.size_bytes());
  }

  ObservationTable& table_;
  const ImportOptions& options_;
  Problems& problems_;
  std::int64_t line_ = 0;
  std::vector<std::size_t> file_of_;  // by system: the first file that has it, from 1
};

void fill_known(const ImportOptions::Known& known, ObjectIndex& index) {
  const auto& ids = known.description.system_ids;
  for (std::size_t s = 0; s < known.objects.size(); ++s) {
    const std::uint32_t system = index.add_system(ids.empty() ? std::to_string(s) : ids[s]);
    for (const std::string& id : known.objects[s]) index.add(system, id);
  }
}

// All files have the columns of the first, in any order, and its delimiter.
void check_same(const CsvFile& file, const CsvFile& first) {
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  if (sorted(file.header()) != sorted(first.header()))
    throw DataError(fmt::format("{}: has the columns {}, but {} has {}; files of one table need the same columns",
                                file.path().string(), fmt::join(file.header(), ", "), first.path().string(),
                                fmt::join(first.header(), ", ")));
  if (file.delimiter() != first.delimiter())
    throw DataError(fmt::format("{}: has '{}' between its fields, but {} has '{}'; files of one table need the same",
                                file.path().string(), file.delimiter(), first.path().string(), first.delimiter()));
}

// Reads the files one after another; blocks of one file in parallel.
class TableReader {
 public:
  TableReader(const ImportContext& context, const ScratchPlace& place, Problems& problems)
      : context_(context),
        options_(context.options),
        problems_(problems),
        table_(place),
        joiner_(table_, options_, problems),
        threads_(usable_threads(options_.threads)) {}

  ObservationTable read() {
    if (options_.known) fill_known(*options_.known, table_.index);
    for (const std::filesystem::path& path : options_.observations) {
      std::error_code error;
      const std::uintmax_t size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path) : 0;
      total_ = size == 0 ? -1 : total_ < 0 ? total_ : total_ + static_cast<std::int64_t>(size);
    }
    for (const std::filesystem::path& path : options_.observations) read_file(path);
    table_.compact_dates = table_.compact_dates && !table_.dates() && table_.rows() > 0;
    table_.point_to_own_cells();
    return std::move(table_);
  }

 private:
  void read_file(const std::filesystem::path& path) {
    auto file =
        std::make_unique<CsvFile>(path, options_.format.delimiter, options_.known.has_value(), options_.format.columns);
    if (first_) check_same(*file, *first_);
    Layout layout = make_layout(*file, options_, options_.observations.size() > 1 || options_.file_systems);
    check_name(layout, path);
    layout.kind = kind_;
    layout.zoned = zoned_;
    if (first_)
      order_features(layout);
    else
      describe(*file, layout);
    joiner_.begin_file(path, file->header_lines() + 1);
    read_blocks(*file, layout);
    done_ += file->bytes_read();
    kind_ = layout.kind;
    zoned_ = layout.zoned;
    if (!first_) first_ = std::move(file);
  }

  void check_name(Layout& layout, const std::filesystem::path& path) {
    const bool object = layout.roles.object == kNoColumn;
    if (!object && layout.file_system.empty()) return;
    const std::string name = object ? layout.file_system + '/' + layout.file_object : layout.file_system;
    const auto [before, fresh] = named_.try_emplace(name, path.string());
    if (!fresh && !object && is_nameless(path)) {
      for (int n = 2; named_.contains(layout.file_system); ++n) layout.file_system = fmt::format("{} {}", name, n);
      named_.emplace(layout.file_system, path.string());
      return;
    }
    if (!fresh && object)
      throw ConfigError(fmt::format(
          "`observations`: {} and {} would both be object '{}' of system '{}', which are named after file and folder; "
          "rename one",
          before->second, path.string(), layout.file_object, layout.file_system));
    if (!fresh)
      throw ConfigError(fmt::format(
          "`observations`: {} and {} would both be system '{}', which a file without a column of systems is "
          "named after; rename one, or name a column with `system`",
          before->second, path.string(), layout.file_system));
  }

  // Rows hold the features in the order of the first file; this one may have its columns in another.
  void order_features(Layout& layout) const {
    for (std::size_t f = 0; f < table_.features.size(); ++f) {
      const auto found = std::find(layout.names.begin(), layout.names.end(), table_.features[f]);
      layout.roles.features[f] = static_cast<std::size_t>(found - layout.names.begin());
    }
  }

  void describe(const CsvFile& file, const Layout& layout) {
    table_.delimiter = file.delimiter();
    table_.columns = {layout.roles.system.size() > 1    ? options_.roles.system
                      : layout.roles.system.size() == 1 ? layout.names[layout.roles.system.front()]
                                                        : "",
                      layout.roles.object == kNoColumn ? kFileObject : layout.names[layout.roles.object],
                      layout.names[layout.roles.time]};
    table_.time_unit = layout.units[layout.roles.time];
    for (const std::size_t column : layout.roles.features) {
      table_.features.push_back(layout.names[column]);
      table_.units.push_back(layout.units[column]);
    }
  }

  void read_blocks(CsvFile& file, Layout& layout) {
    bool first = true;
    for (bool more = true; more;) {
      context_.check_stop();
      std::vector<BlockRows> blocks;
      for (int i = 0; i < 2 * threads_ && more; ++i) {
        blocks.emplace_back();
        more = file.next(blocks.back().text);
        if (!more) blocks.pop_back();
      }
      if (layout.kind == TimeKind::kUnknown && !blocks.empty())
        table_.time.instants = find_time_kind(blocks.front().text, layout);
      if (first && !blocks.empty() && !options_.known)
        check_text_columns(file.path().string(), blocks.front().text, layout);
      first = false;
      parallel_tasks(static_cast<std::int64_t>(blocks.size()), threads_,
                     [&](std::int64_t i) { parse_block(layout, blocks[static_cast<std::size_t>(i)]); });
      for (const BlockRows& block : blocks) {
        joiner_.add(block);
        // An open quote swallows everything after it, so skipping the row would skip the rest of the table.
        if (block.unclosed) problems_.throw_if_any("close the quote");
      }
      if (context_.progress) context_.progress(done_ + file.bytes_read(), std::max<std::int64_t>(total_, 0));
    }
  }

  const ImportContext& context_;
  const ImportOptions& options_;
  Problems& problems_;
  ObservationTable table_;
  Joiner joiner_;
  int threads_;
  std::unique_ptr<CsvFile> first_;
  std::map<std::string, std::string> named_;  // files by the system that they are
  TimeKind kind_ = TimeKind::kUnknown;
  bool zoned_ = false;
  std::int64_t done_ = 0, total_ = 0;  // bytes; total_ < 0: unknown
};

}  // namespace

ObservationTable read_observations(const ImportContext& context, const ScratchPlace& place, Problems& problems) {
  return TableReader(context, place, problems).read();
}

}  // namespace lgode::table
