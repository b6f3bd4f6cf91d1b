// Reads predictions line by line. Rows of one object follow each other, so that most look up no name.
#include "lgode/benchmark/forecast_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "lgode/core/error.h"
#include "lgode/core/file.h"

namespace lgode::benchmark {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kSameFrame = 0.01;  // of a step

// Names of ours have neither quotes nor commas.
void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find(',', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return;
    begin = end + 1;
  }
}

struct Columns {
  std::size_t system = 0, object = 0, time = 0, feature = 0, mean = 0;
  std::optional<std::size_t> future;
};

Columns columns_of(const std::string& where, std::string_view header, std::int64_t futures) {
  std::vector<std::string_view> names;
  split(header, names);
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names.begin()));
  };
  const auto need = [&](std::string_view name) {
    if (const auto at = find(name)) return *at;
    throw DataError(fmt::format("{}: has no column '{}'; expected a prediction of lgode predict", where, name));
  };
  Columns c{need("system"), need("object"), need("time"), need("feature"), need("mean"), find("future")};
  if (futures > 0 && !c.future)
    throw DataError(fmt::format("{}: has no column 'future'; expected {} futures of each object", where, futures));
  return c;
}

double number_of(const std::string& where, std::size_t line, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw DataError(fmt::format("{}:{}: '{}' is not a number", where, line, text));
  return number;
}

std::string joined(std::string_view system, std::string_view object) {
  std::string text(system);
  text += '\n';
  text += object;
  return text;
}

class Reader {
 public:
  Reader(const std::filesystem::path& file, const std::vector<PredictionKey>& keys, const FrameTimes& times,
         std::int64_t futures)
      : where_(file.string()), times_(times), found_(keys.size(), times.count, futures) {
    for (std::size_t k = 0; k < keys.size(); ++k) keys_.emplace(joined(keys[k].system, keys[k].object), k);
  }

  void header(std::string_view line) { columns_ = columns_of(where_, line, found_.futures()); }

  void row(std::string_view text, std::size_t line) {
    split(text, fields_);
    const auto field = [&](std::size_t column) {
      if (column < fields_.size()) return fields_[column];
      throw DataError(fmt::format("{}:{}: has {} fields, expected more", where_, line, fields_.size()));
    };
    const std::string_view feature = field(columns_.feature);
    if (feature != "x" && feature != "y") return;
    const std::optional<std::size_t> key = key_of(field(columns_.system), field(columns_.object));
    if (!key) return;
    const std::optional<std::int64_t> future =
        future_of(columns_.future ? field(*columns_.future) : std::string_view(), line);
    if (!future) return;
    const double frame = number_of(where_, line, field(columns_.time)) / times_.seconds - times_.first;
    const double nearest = std::round(frame);
    if (!(std::abs(frame - nearest) <= kSameFrame) || !(nearest >= 0 && nearest < times_.count)) return;
    Point& point = found_.path(*key, *future)[static_cast<std::size_t>(nearest)];
    (feature == "x" ? point.x : point.y) = number_of(where_, line, field(columns_.mean));
  }

  Predictions finish(const std::vector<PredictionKey>& keys) {
    for (std::size_t k = 0; k < keys.size(); ++k)
      for (std::int64_t future = 0; future <= found_.futures(); ++future)
        for (const Point& point : found_.path(k, future))
          if (!std::isfinite(point.x) || !std::isfinite(point.y))
            throw DataError(fmt::format("{}: has no whole forecast of object {} in {}{}", where_, keys[k].object,
                                        keys[k].system, future > 0 ? fmt::format(", future {}", future) : ""));
    return std::move(found_);
  }

 private:
  // 0 for the one path; none for a future that nobody asked for.
  std::optional<std::int64_t> future_of(std::string_view text, std::size_t line) const {
    if (text.empty()) return 0;
    const double number = number_of(where_, line, text);
    const auto most = static_cast<double>(found_.futures());
    if (number == std::round(number) && number >= 0 && number <= most) return static_cast<std::int64_t>(number);
    if (found_.futures() == 0 && number > 0) return std::nullopt;
    throw DataError(fmt::format("{}:{}: future {}, expected 0 to {}", where_, line, text, found_.futures()));
  }

  std::optional<std::size_t> key_of(std::string_view system, std::string_view object) {
    if (system == last_system_ && object == last_object_) return last_;
    last_system_ = system, last_object_ = object;
    const auto at = keys_.find(joined(system, object));
    last_ = at == keys_.end() ? std::nullopt : std::optional(at->second);
    return last_;
  }

  std::string where_;
  FrameTimes times_;
  Predictions found_;
  Columns columns_;
  std::unordered_map<std::string, std::size_t> keys_;
  std::vector<std::string_view> fields_;
  std::string_view last_system_, last_object_;  // of the mapped file
  std::optional<std::size_t> last_;
};

}  // namespace

Predictions::Predictions(std::size_t keys, int count, std::int64_t futures)
    : count_(static_cast<std::size_t>(count)),
      futures_(futures),
      points_(keys * static_cast<std::size_t>(futures + 1) * count_, {kNone, kNone}) {}

std::span<Point> Predictions::path(std::size_t key, std::int64_t future) {
  const std::size_t number = key * static_cast<std::size_t>(futures_ + 1) + static_cast<std::size_t>(future);
  return std::span(points_).subspan(number * count_, count_);
}
std::span<const Point> Predictions::path(std::size_t key, std::int64_t future) const {
  const std::size_t number = key * static_cast<std::size_t>(futures_ + 1) + static_cast<std::size_t>(future);
  return std::span(points_).subspan(number * count_, count_);
}

Predictions read_predictions(const std::filesystem::path& file, const std::vector<PredictionKey>& keys,
                             const FrameTimes& times, std::int64_t futures) {
  const MappedFile mapped(file);
  std::string_view text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  Reader reader(file, keys, times, futures);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (line == 1)
      reader.header(text.substr(0, end));
    else if (end > 0)
      reader.row(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish(keys);
}

}  // namespace lgode::benchmark
