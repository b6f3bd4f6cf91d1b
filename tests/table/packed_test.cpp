// Tables that are packed: gzip, Zstandard by library and by program, Parquet through Python; whole, damaged and cut.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/csv/rewrite.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"
#include "table/csv/child_source.h"
#include "table/csv/source.h"
#include "table/csv/unpack.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;

class Packed : public ::testing::Test {
 protected:
  static std::string rows(int count) {
    std::string text = "object,time,x\n";
    for (int k = 0; k < count; ++k) text += fmt::format("o{},{},{}\n", k % 3, k / 3, 0.25 * k);
    return text;
  }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  // By the program of this name.
  std::filesystem::path pack(const std::string& name, std::string_view text, const std::string& program) const {
    write(name, text);
    const std::string ending = program == "gzip" ? ".gz" : ".zst";
    const std::string command = fmt::format("{} -qf '{}'", program, (folder_ / name).string());
    if (std::system(command.c_str()) != 0) return {};
    return folder_ / (name + ending);
  }
  static std::string text_of(const std::filesystem::path& path) {
    CsvFile file(path, 0);
    std::string text, block;
    while (file.next(block)) text += block;
    return text;
  }
  std::string message(const std::filesystem::path& path) const {
    try {
      text_of(path);
    } catch (const DataError& error) {
      return error.what();
    }
    return "no error";
  }
  static bool has_library(const std::string& program) {
    class Empty : public ByteSource {
      std::size_t read(char* /*to*/, std::size_t /*room*/) override { return 0; }
      std::int64_t file_bytes() const override { return 0; }
    };
    return (program == "gzip" ? gunzip(std::make_unique<Empty>()) : unpack_zstd(std::make_unique<Empty>())) != nullptr;
  }

  TempFolder folder_;
};

class PackedBy : public Packed, public ::testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, PackedBy, ::testing::Values("gzip", "zstd"));

TEST_P(PackedBy, ReadsAsTheTextItself) {
  const std::string program = GetParam();
  if (program == "gzip" && !has_library(program)) GTEST_SKIP() << "built without zlib";
  const std::string text = rows(400'000);  // more than a block
  const auto path = pack("obs.csv", text, program);
  if (path.empty()) GTEST_SKIP() << "there is no program " << program;
  EXPECT_TRUE(text_of(path) == text.substr(text.find('\n') + 1));
  // Members or frames after each other are one text.
  const std::string twice = read_text(path) + read_text(pack("more.csv", "o0,999999,1\n", program));
  EXPECT_TRUE(text_of(write("twice.csv", twice)) == text.substr(text.find('\n') + 1) + "o0,999999,1\n");
  ImportOptions options;
  options.observations = {path};
  options.scratch_folder = folder_.path();
  ImportReport report;
  EXPECT_EQ(import_csv(options, report).observations(), 400'000);
  name_after_files(options);
  EXPECT_EQ(options.name, "obs");
}

TEST_P(PackedBy, DamagedAndCutFilesAreRefusedWithTheirLine) {
  const std::string program = GetParam();
  if (program == "gzip" && !has_library(program)) GTEST_SKIP() << "built without zlib";
  const auto path = pack("obs.csv", rows(400'000), program);
  if (path.empty()) GTEST_SKIP() << "there is no program " << program;
  const std::string whole = read_text(path);
  for (const std::size_t length : {whole.size() - 1, whole.size() / 2, whole.size() * 9 / 10}) {
    const std::string text = message(write("cut.csv", whole.substr(0, length)));
    EXPECT_NE(text.find("cut.csv"), std::string::npos) << text;
    EXPECT_NE(text.find("ends too early"), std::string::npos) << text;
    EXPECT_NE(text.find("after line "), std::string::npos) << text;
  }
  EXPECT_NE(message(write("start.csv", whole.substr(0, 6))).find("ends too early"), std::string::npos);
  std::string damaged = whole;
  for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 64; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  EXPECT_NE(message(write("damaged.csv", damaged)).find("damaged"), std::string::npos)
      << message(write("damaged.csv", damaged));
  EXPECT_NE(message(pack("empty.csv", "", program)).find("is empty"), std::string::npos);
}

TEST_P(PackedBy, BadRowsHaveTheirLines) {
  const std::string program = GetParam();
  if (program == "gzip" && !has_library(program)) GTEST_SKIP() << "built without zlib";
  const auto path = pack("obs.csv", rows(9) + "o1,7,abc\n", program);
  if (path.empty()) GTEST_SKIP() << "there is no program " << program;
  ImportOptions options;
  options.observations = {path};
  options.scratch_folder = folder_.path();
  ImportReport report;
  expect_error<DataError>([&] { import_csv(options, report); }, {"obs.csv.", "line 11", "abc"});
}

TEST_P(PackedBy, ABombEndsAtTheLongestRow) {
  const std::string program = GetParam();
  if (program == "gzip" && !has_library(program)) GTEST_SKIP() << "built without zlib";
  // 200 MB of one row: refused as an open quote is, after the longest row that may be.
  const std::string command =
      fmt::format("(printf 'object,time,x\\n\"'; head -c 200000000 /dev/zero | tr '\\0' a) | {} -1c > '{}'", program,
                  (folder_ / "bomb").string());
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "there is no program " << program;
  ImportOptions options;
  options.observations = {folder_ / "bomb"};
  options.scratch_folder = folder_.path();
  ImportReport report;
  expect_error<DataError>([&] { import_csv(options, report); }, {"closing quote"});
}

TEST_P(PackedBy, CanBeFilled) {
  const std::string program = GetParam();
  if (program == "gzip" && !has_library(program)) GTEST_SKIP() << "built without zlib";
  const auto path = pack("obs.csv", "a,b\r\n1,\r\n\r\n2,3", program);
  if (path.empty()) GTEST_SKIP() << "there is no program " << program;
  CsvRewrite rewrite;
  rewrite.table = path;
  rewrite.column = "new";
  rewrite.change = [](auto fields, auto replace) {
    if (fields[1].empty()) replace[1] = "9";
    return std::string("n");
  };
  write_file(folder_ / "out.csv", Overwrite::kAllow, [&](FileSink& out) { rewrite_csv(rewrite, out); });
  EXPECT_EQ(read_text(folder_ / "out.csv"), "a,b,new\r\n1,9,n\r\n\r\n2,3,n");
}

// What a build without libzstd does.
TEST_F(Packed, TheProgramZstdUnpacks) {
  const std::string text = rows(1000);
  const auto path = pack("obs.csv", text, "zstd");
  if (path.empty()) GTEST_SKIP() << "there is no program zstd";
  const auto whole = [](const std::filesystem::path& file) {
    const auto source = zstd_program_source(file);
    std::string out(1'000'000, '\0');
    std::size_t size = 0;
    while (const std::size_t count = source->read(out.data() + size, out.size() - size)) size += count;
    return out.substr(0, size);
  };
  EXPECT_EQ(whole(path), text);
  const auto cut = write("cut.zst", read_text(path).substr(0, 100));
  expect_error<DataError>([&] { whole(cut); }, {"compressed file is damaged"});
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", folder_.path().c_str(), 1);
  expect_error<DataError>([&] { whole(path); }, {"no program zstd", "install zstd"});
  ::setenv("PATH", before.c_str(), 1);
}

// A python3 of our own stands for every Python that may be there.
class Parquet : public Packed {
 protected:
  void SetUp() override { before_ = std::getenv("PATH"); }
  void TearDown() override { ::setenv("PATH", before_.c_str(), 1); }
  void python(const std::string& script) {
    const auto path = write("python3", "#!/bin/sh\n" + script);
    ::chmod(path.c_str(), 0755);
    ::setenv("PATH", (folder_.path().string() + ":" + before_).c_str(), 1);
  }

  std::string before_;
};

TEST_F(Parquet, IsReadThroughPython) {
  const auto path = write("obs.parquet", "PAR1 and more PAR1");
  python("printf 'object,time,x\\na,0,1\\n'; [ \"$3\" = '" + path.string() + "' ] && echo a,1,2\n");
  EXPECT_EQ(text_of(path), "a,0,1\na,1,2\n");
}

TEST_F(Parquet, SaysWhatToInstall) {
  const auto path = write("obs.parquet", "PAR1 and more PAR1");
  python("exit 3\n");
  for (const char* part : {"obs.parquet", "pip install pandas pyarrow", "save the table as CSV"})
    EXPECT_NE(message(path).find(part), std::string::npos) << message(path);
  python("echo 'Invalid: file is damaged' >&2; exit 1\n");
  EXPECT_NE(message(path).find("cannot read: Invalid: file is damaged"), std::string::npos) << message(path);
  ::setenv("PATH", (folder_ / "absent").c_str(), 1);
  EXPECT_NE(message(path).find("no python3"), std::string::npos) << message(path);
}

// The script itself, with modules in place of pandas and pyarrow, which may be absent.
TEST_F(Parquet, TheScriptWritesEveryBatch) {
  write("pandas.py", "");
  std::filesystem::create_directory(folder_ / "pyarrow");
  write("pyarrow/__init__.py", "");
  write("pyarrow/parquet.py", R"python(
class Column:
    def __init__(self, kind, cells): self.kind, self.cells = kind, cells
    def astype(self, kind): return Column(kind, [int(c) if kind == "int64" else c for c in self.cells])
class Types:
    def __init__(self, columns): self.columns = columns
    def items(self): return [(n, c.kind) for n, c in self.columns.items()]
class Frame(dict):
    @property
    def dtypes(self): return Types(self)
    def to_csv(self, out, index, header):
        if header: out.write(",".join(self) + "\n")
        for row in zip(*[c.cells for c in self.values()]): out.write(",".join(map(str, row)) + "\n")
class Batch:
    def __init__(self, first): self.first = first
    def to_pandas(self, ignore_metadata):
        return Frame(object=Column("object", ["a"]), time=Column("int64", [self.first]), on=Column("bool", [True]))
class ParquetFile:
    def __init__(self, path): pass
    def iter_batches(self, rows): return [Batch(0), Batch(1)]
)python");
  ::setenv("PYTHONPATH", folder_.path().c_str(), 1);
  const std::string found = message(write("obs.parquet", "PAR1 and more PAR1"));
  const bool python = found.find("no python3") == std::string::npos;
  if (python) {
    EXPECT_EQ(text_of(folder_ / "obs.parquet"), "a,0,1\na,1,1\n") << found;
  }
  ::unsetenv("PYTHONPATH");
  if (!python) GTEST_SKIP() << "there is no python3";
}

TEST_F(Packed, ShortFilesAreNotTakenForPackedOnes) {
  EXPECT_EQ(packing_of("\x1F"), Packing::kNone);
  EXPECT_EQ(packing_of("PAR"), Packing::kNone);
  EXPECT_NE(message(write("t.csv", "PA")).find("no error"), std::string::npos);
}

}  // namespace
}  // namespace lgode::table
