// Mapped files: which file an address belongs to, and whether the file is still what it was.
#include "lgode/core/mapped_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/safetensors.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using testing::expect_error;
using testing::TempFolder;
namespace fs = std::filesystem;

constexpr std::size_t kSize = 100'000;

fs::path write_bytes(const fs::path& path, char byte) {
  std::ofstream(path, std::ios::binary) << std::string(kSize, byte);
  return path;
}

// Another time of change than any of before, however coarse the file system's clock is.
void age(const fs::path& path) { fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1)); }

TEST(MappedFiles, KnowsTheFileOfAnAddressWhileItIsMapped) {
  const TempFolder folder;
  const std::byte* inside = nullptr;
  {
    const MappedFile file(write_bytes(folder / "f", 'a'));
    inside = file.bytes().data() + kSize - 1;
    ASSERT_NE(mapped_files().path_at(inside), nullptr);
    EXPECT_EQ(fs::path(mapped_files().path_at(inside)).filename(), "f");
    EXPECT_EQ(mapped_files().path_at(file.bytes().data() + kSize), nullptr);
    EXPECT_EQ(mapped_files().path_at(&inside), nullptr);
    EXPECT_NO_THROW(mapped_files().check(inside));
  }
  EXPECT_EQ(mapped_files().path_at(inside), nullptr);
  EXPECT_NO_THROW(mapped_files().check(inside));
}

TEST(MappedFiles, NoticesWhatWasWrittenInPlace) {
  const TempFolder folder;
  const fs::path path = write_bytes(folder / "f", 'a');
  age(path);
  const MappedFile file(path);
  write_bytes(path, 'b');  // truncates the file, and makes it as long as before
  expect_error<DataError>([&] { mapped_files().check(file.bytes().data()); }, {"f: was overwritten", "`resume`"});
  std::ofstream(path, std::ios::app) << "more";
  expect_error<DataError>([&] { mapped_files().check(file.bytes().data()); }, {"changed from 100000 to 100004 bytes"});
}

TEST(MappedFiles, LeavesAloneWhatWasRenamedOrRemoved) {
  const TempFolder folder;
  const fs::path path = write_bytes(folder / "f", 'a');
  const MappedFile file(path);
  write_file(path, Overwrite::kAllow, "replaced by renaming");
  EXPECT_NO_THROW(mapped_files().check(file.bytes().data()));
  fs::remove(path);
  EXPECT_NO_THROW(mapped_files().check(file.bytes().data()));
  EXPECT_EQ(static_cast<char>(file.bytes()[kSize - 1]), 'a');
}

// A checksum says that the content is the same.
TEST(MappedFiles, ATouchedFileWithAChecksumIsTheSame) {
  const TempFolder folder;
  const std::vector<double> values(1000, 1.5);
  write_safetensors(folder / "f", Overwrite::kRefuse,
                    {.tensors = {{"x", tensor_view(std::span(values), {1000})}}, .metadata = {}});
  const SafetensorsFile file(folder / "f");
  const void* address = file.at("x").bytes.data();
  age(folder / "f");
  EXPECT_NO_THROW(mapped_files().check(address));
  std::fstream(folder / "f", std::ios::in | std::ios::out | std::ios::binary).seekp(4096).put('!');
  age(folder / "f");
  expect_error<DataError>([&] { mapped_files().check(address); }, {"was overwritten"});
}

TEST(MappedFiles, ReplacesLostPages) {
  const TempFolder folder;
  const fs::path path = write_bytes(folder / "f", 'a');
  const MappedFile file(path);
  const std::int64_t before = mapped_files().losses();
  fs::resize_file(path, 10);
  // What the handler of a program does at the first read of a lost page.
  ASSERT_TRUE(mapped_files().replace_lost(file.bytes().data() + 50'000));
  EXPECT_EQ(static_cast<char>(file.bytes()[kSize - 1]), 0);
  EXPECT_EQ(static_cast<char>(file.bytes()[0]), 'a');
  EXPECT_EQ(mapped_files().losses(), before + 1);
  expect_error<DataError>([&] { mapped_files().check(file.bytes().data()); }, {"f: was truncated"});
  expect_error<DataError>([&] { mapped_files().check_lost(); }, {"f: was truncated"});
  EXPECT_FALSE(mapped_files().replace_lost(&path));
}

TEST(MappedFiles, ObserversHearOfTheFirstAndTheLast) {
  const TempFolder folder;
  std::string heard;
  mapped_files().observe([&](bool any) { heard += any ? '+' : '-'; });
  {
    const MappedFile a(write_bytes(folder / "a", 'a')), b(write_bytes(folder / "b", 'b'));
    EXPECT_EQ(heard, "+");
  }
  EXPECT_EQ(heard, "+-");
  mapped_files().observe({});
}

}  // namespace
}  // namespace lgode
