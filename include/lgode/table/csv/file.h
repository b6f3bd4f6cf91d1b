// A CSV file as blocks of whole rows, with its delimiter and the names of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/stop.h"

namespace lgode::table {

class ByteSource;
enum class Packing;

// A file or pipe of any size, read front to back in blocks of whole rows. The first block is checked: a byte order mark
// of UTF-8 is skipped, other encodings and kinds of file are refused with a DataError. Files that gzip or zstd packed
// are unpacked on the way, Parquet files are read through python3; the first bytes tell, not the name.
//
// Names that end in a unit, `X(cm)`, are split into name and unit (table/unit_names.h), unless they are to be exact.
class CsvFile {
 public:
  // delimiter 0: found from the first line. Names of columns lose blanks around them, unless they are to be exact.
  // `names`: of all columns of a file that has no line with names; "_" is a column without a name. ConfigError where
  // the first line has another number of fields.
  // `live`: a block has the whole rows that have arrived, at least one; waiting for more ends with Interrupted on a
  // stop request.
  struct Live {
    const StopFlag* stop = nullptr;
  };
  CsvFile(std::filesystem::path path, char delimiter, bool exact_names = false, std::vector<std::string> names = {},
          std::optional<Live> live = {});
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  char delimiter() const { return delimiter_; }
  // The names of the columns, and the units that stood with them; empty where there were none.
  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::string>& units() const { return units_; }
  // The column of this name, with its unit or without; nothing where there is none.
  std::optional<std::size_t> column(const std::string& name) const;
  // The fields of the first row of a file without a line of names, and its line, from 1.
  const std::vector<std::string>& first_row() const { return first_row_; }
  std::int64_t first_line() const { return first_line_; }
  // Lines of the file before the first block.
  std::int64_t header_lines() const { return header_lines_; }
  // Appends the next rows to an empty `block`; false if there are none.
  bool next(std::string& block);
  std::int64_t bytes_read() const;                            // of the file, packed or not
  std::optional<std::int64_t> size() const { return size_; }  // of a regular file
  bool packed() const;                                        // it is not text itself

 private:
  bool fill(std::string& block);
  void check_kind(std::string_view text) const;
  void read_header(bool exact_names, std::vector<std::string> names);
  void take_names(std::vector<std::string> names);
  void set_names(std::vector<std::string> names, bool exact);

  std::filesystem::path path_;
  std::unique_ptr<ByteSource> source_;
  Packing packing_{};
  char delimiter_ = ',';
  std::vector<std::string> header_, units_, first_row_;
  std::int64_t first_line_ = 0;
  std::int64_t header_lines_ = 0;
  std::optional<Live> live_;
  std::string carry_;  // what was read after the last whole row
  bool ended_ = false;
  std::int64_t lines_ = 0;  // of a packed file, that were read
  std::optional<std::int64_t> size_;
};

}  // namespace lgode::table
