// Work that is divided over machines: shard i of n takes its part of the systems or cells and writes a part file; the
// shard that finishes last joins the files. The machines share a folder and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lgode::app {

struct Shard {
  std::int64_t number = 1, count = 1;  // from 1

  std::string text() const;  // "2/4"
  // Its part of a list: neighbours stay together.
  template <class T>
  std::vector<T> of(const std::vector<T>& all) const {
    const auto size = static_cast<std::int64_t>(all.size());
    return {all.begin() + size * (number - 1) / count, all.begin() + size * number / count};
  }
};

// "2/4"; empty: nothing. ConfigError names --shard.
std::optional<Shard> parse_shard(const std::string& text);

// The files of the shards of one result: NAME.shard-2-of-4.EXT next to NAME.EXT.
class ShardParts {
 public:
  ShardParts(std::filesystem::path whole, const Shard& shard);

  std::filesystem::path own() const { return part(shard_.number); }
  std::filesystem::path part(std::int64_t number) const;
  // All files, if they are there and no other shard joins them already. Call it once the own file is written.
  std::optional<std::vector<std::filesystem::path>> claim() const;
  // After joining: removes the files.
  void remove() const;
  // Numbers of the shards whose files are missing.
  std::vector<std::int64_t> missing() const;
  // "shards 1, 3 of 4 are missing; the last one to finish writes NAME", or that another joins them.
  std::string waiting_text() const;

 private:
  std::filesystem::path mark() const;

  std::filesystem::path whole_;
  Shard shard_;
};

}  // namespace lgode::app
