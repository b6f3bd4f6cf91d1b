// CSV after RFC 4180: a delimiter separates fields, a line end (LF or CRLF) separates rows. A quoted field may contain
// both, and a quote written twice. A quote within a field that does not begin with one is an ordinary character. This
// part knows nothing of data sets; import_csv.h uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/stop.h"

namespace lgode::data {

// Quoted where it holds the delimiter, a quote or a line break.
std::string csv_field(std::string_view text, char delimiter = ',');

// Iterates over the rows of a text. Fields are views of the text or of the cursor, valid until the next row.
class CsvCursor {
 public:
  CsvCursor(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter) {}

  // What is wrong with a row.
  struct Fault {
    std::size_t field = 0;
    std::string found, expected;
    bool unclosed = false;  // a quote that is still open at the end of the text
  };

  // The next row that is not blank; false at the end.
  bool next();
  std::span<const std::string_view> fields() const { return fields_; }
  const std::optional<Fault>& fault() const { return fault_; }
  // Line where the row begins, counted from 0; and how many line ends have been passed.
  std::int64_t line() const { return line_; }
  std::int64_t lines() const { return lines_; }
  std::string_view rest() const { return rest_; }

 private:
  void read_row();
  std::string_view quoted_field();

  std::string_view rest_;
  char delimiter_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;
  std::optional<Fault> fault_;
  std::int64_t line_ = 0;
  std::int64_t lines_ = 0;
};

// A file or pipe of any size, read front to back in blocks of whole rows. The first block is checked: a byte order mark
// of UTF-8 is skipped, other encodings and kinds of file are refused with a DataError.
class CsvFile {
 public:
  // delimiter 0: found from the first line. Names of columns lose blanks around them, unless they are to be exact.
  // `names`: of all columns of a file that has no line with names; "_" is a column without a name. ConfigError where
  // the first line has another number of fields.
  // `live`: blocks are the whole rows that have come so far, at least one; waiting for more ends with Interrupted on a
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
  // The names of the columns.
  const std::vector<std::string>& header() const { return header_; }
  // The fields of the first row of a file without a line of names, and its line, from 1.
  const std::vector<std::string>& first_row() const { return first_row_; }
  std::int64_t first_line() const { return first_line_; }
  // Lines of the file before the first block.
  std::int64_t header_lines() const { return header_lines_; }
  // Appends the next rows to an empty `block`; false if there are none.
  bool next(std::string& block);
  std::int64_t bytes_read() const { return bytes_read_; }
  std::optional<std::int64_t> size() const { return size_; }  // of a regular file

 private:
  bool fill(std::string& block);
  void wait() const;
  void check_kind(std::string_view text) const;
  void read_header(bool exact_names, std::vector<std::string> names);
  void take_names(std::vector<std::string> names);

  std::filesystem::path path_;
  int file_ = -1;
  char delimiter_ = ',';
  std::vector<std::string> header_, first_row_;
  std::int64_t first_line_ = 0;
  std::int64_t header_lines_ = 0;
  std::optional<Live> live_;
  std::string carry_;  // what was read after the last whole row
  bool ended_ = false;
  std::int64_t bytes_read_ = 0;
  std::optional<std::int64_t> size_;
};

// Where the last whole row of `text` ends (after its line end), 0 if there is none.
std::size_t last_row_end(std::string_view text, char delimiter);

// A number as tables write it: blanks around it, a leading +, and with decimal_comma a comma for the point. Nothing if
// it is not a number or too large for a double. Infinities and NaN are numbers here.
std::optional<double> parse_csv_number(std::string_view text, bool decimal_comma);
// Empty, NaN, NA, N/A, #N/A, null, None or -, in any case.
bool is_missing_text(std::string_view text);

// Texts that stand for a missing value: those of is_missing_text, and the user's own words. Own words count in any case
// and, where they are numbers, by value.
class MissingWords {
 public:
  MissingWords() = default;
  MissingWords(const std::vector<std::string>& own, bool decimal_comma);

  bool own(std::string_view text) const;
  bool operator()(std::string_view text) const { return is_missing_text(text) || own(text); }

 private:
  bool decimal_comma_ = false;
  std::vector<std::string> words_;  // in lower case
  std::vector<double> numbers_;
};

bool is_utf8(std::string_view text);

// "a.csv", or "a.csv and 7 more files".
std::string files_text(const std::vector<std::string>& files);

// A bad field or row of a table, as it is reported.
struct CsvProblem {
  std::int64_t line = 0;  // counted from 1
  std::string column;     // its name; may be empty
  std::string found, expected;
  std::size_t file = 0;  // of several
  bool is_row = false;   // of a table in memory: `line` is a row, counted from 0

  std::string text(const std::string& path) const;
};

// Bad rows: all are counted, the first `limit` (0: all) are kept.
class CsvProblems {
 public:
  // Of one table, which may be in several files.
  CsvProblems(std::vector<std::string> files, std::int64_t limit)
      : files_(std::move(files)), limit_(limit > 0 ? limit : std::numeric_limits<std::int64_t>::max()) {}

  void add(CsvProblem problem);
  std::int64_t count() const { return count_; }
  // One line per problem, by file and line number, and how many more there are.
  std::vector<std::string> lines() const;
  // DataError with the lines of this table and of `other`, if there are any.
  void throw_if_any(const std::string& advice, const CsvProblems* other = nullptr) const;

 private:
  std::vector<std::string> files_;
  std::int64_t limit_;
  std::int64_t count_ = 0;
  std::vector<CsvProblem> kept_;
};

}  // namespace lgode::data
