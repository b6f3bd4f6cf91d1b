// Files of shards and who joins them.
#include "commands/shard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <utility>

#include "lgode/core/error.h"

namespace lgode::app {

std::string Shard::text() const { return fmt::format("{}/{}", number, count); }

std::optional<Shard> parse_shard(const std::string& text) {
  if (text.empty()) return {};
  Shard shard;
  const std::size_t slash = text.find('/');
  const auto whole = [](std::string_view word, std::int64_t& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
  };
  if (slash == std::string::npos || !whole(std::string_view(text).substr(0, slash), shard.number) ||
      !whole(std::string_view(text).substr(slash + 1), shard.count) || shard.count < 1 || shard.number < 1 ||
      shard.number > shard.count)
    throw ConfigError(fmt::format("--shard {}: expected I/N with I from 1 to N, as 2/4", text));
  return shard;
}

ShardParts::ShardParts(std::filesystem::path whole, const Shard& shard) : whole_(std::move(whole)), shard_(shard) {}

std::filesystem::path ShardParts::part(std::int64_t number) const {
  const std::string name =
      fmt::format("{}.shard-{}-of-{}{}", whole_.stem().string(), number, shard_.count, whole_.extension().string());
  return whole_.parent_path() / name;
}

std::filesystem::path ShardParts::mark() const {
  return whole_.parent_path() / fmt::format("{}.joining-{}", whole_.filename().string(), shard_.count);
}

std::vector<std::int64_t> ShardParts::missing() const {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 1; i <= shard_.count; ++i)
    if (!std::filesystem::exists(part(i))) numbers.push_back(i);
  return numbers;
}

std::optional<std::vector<std::filesystem::path>> ShardParts::claim() const {
  if (!missing().empty()) return {};
  const int file = ::open(mark().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return {};
  ::close(file);
  std::vector<std::filesystem::path> parts;
  for (std::int64_t i = 1; i <= shard_.count; ++i) parts.push_back(part(i));
  return parts;
}

void ShardParts::remove() const {
  std::error_code ignored;
  for (std::int64_t i = 1; i <= shard_.count; ++i) std::filesystem::remove(part(i), ignored);
  std::filesystem::remove(mark(), ignored);
}

std::string ShardParts::waiting_text() const {
  const std::vector<std::int64_t> numbers = missing();
  if (numbers.empty() || std::filesystem::exists(mark()))
    return fmt::format("another process joins the shards to {}", whole_.string());
  return fmt::format("shard{} {} of {} {} missing; the last one to finish writes {}", numbers.size() == 1 ? "" : "s",
                     fmt::join(numbers, ", "), shard_.count, numbers.size() == 1 ? "is" : "are", whole_.string());
}

}  // namespace lgode::app
