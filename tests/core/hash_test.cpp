// Hashes: known values, which files of earlier versions contain, and every change of a word.
#include "lgode/core/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace lgode {
namespace {

TEST(Hash, HasTheValuesThatFilesContain) {
  EXPECT_EQ(Hash().text(), "243f6a8885a308d3");
  Hash hash;
  hash.add("text"), hash.add(std::int64_t{7}), hash.add(0.5);
  EXPECT_EQ(hash.text(), "f2dcc469410c387d");
  hash.add_wide(std::as_bytes(std::span<const char>("forty bytes, more than four words of it", 39)));
  EXPECT_EQ(hash.text(), "3f8758cf3db9f5ba");
}

TEST(Hash, FindsEveryChangeAndEveryLength) {
  for (const bool wide : {false, true}) {
    const auto of = [&](const std::vector<std::byte>& bytes) {
      Hash hash;
      if (wide)
        hash.add_wide(bytes);
      else
        hash.add(std::span<const std::byte>(bytes));
      return hash.text();
    };
    std::set<std::string> seen;
    std::vector<std::byte> bytes(75);
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
      std::vector<std::byte> part(length);
      EXPECT_TRUE(seen.insert(of(part)).second) << length;
    }
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        bytes[at] = static_cast<std::byte>(1 << bit);
        EXPECT_TRUE(seen.insert(of(bytes)).second) << at << " " << bit;
        bytes[at] = std::byte{0};
      }
  }
}

}  // namespace
}  // namespace lgode
