// The file format: our bytes exactly, other people's files, and every way a file can be damaged.
#include "lgode/core/safetensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/hash.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using testing::expect_error;
using testing::TempFolder;

// The bytes of a file with the given header, as other programs write it: no padding anywhere.
std::string plain_file(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string text(8, '\0');
  std::memcpy(text.data(), &length, 8);
  return text + header + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(WriteSafetensors, LaysBytesOutAsDocumented) {
  const TempFolder folder;
  const std::array<float, 3> a = {1.0F, 2.0F, 3.0F};
  const std::array<double, 2> b = {4.0, 5.0};
  const std::array<std::uint8_t, 0> c = {};
  SafetensorsContent content;
  content.tensors = {{"a", tensor_view(std::span<const float>(a), {3})},
                     {"b", tensor_view(std::span<const double>(b), {2, 1})},
                     {"c", tensor_view(std::span<const std::uint8_t>(c), {0})}};
  content.metadata = {{"key", "text"}};
  write_safetensors(folder / "f", Overwrite::kRefuse, content);

  Hash hash;
  hash.add("key"), hash.add("text");
  const auto add = [&](std::string_view name, std::string_view dtype, std::vector<std::int64_t> shape, auto values) {
    hash.add(name), hash.add(dtype), hash.add(std::span<const std::int64_t>(shape)),
        hash.add_wide(std::as_bytes(values));
  };
  add("a", "F32", {3}, std::span<const float>(a));
  add("b", "F64", {2, 1}, std::span<const double>(b));
  add("c", "U8", {0}, std::span<const std::uint8_t>(c));
  std::string header = R"({"__metadata__":{"key":"text","lgode.checksum":")" + hash.text() +
                       R"("},)"
                       R"("a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
                       R"("__pad.0":{"dtype":"U8","shape":[52],"data_offsets":[12,64]},)"
                       R"("b":{"dtype":"F64","shape":[2,1],"data_offsets":[64,80]},)"
                       R"("__pad.1":{"dtype":"U8","shape":[48],"data_offsets":[80,128]},)"
                       R"("c":{"dtype":"U8","shape":[0],"data_offsets":[128,128]}})";
  header.resize((8 + header.size() + 63) / 64 * 64 - 8, ' ');
  const std::string data =
      bytes_of<float>({1, 2, 3}) + std::string(52, '\0') + bytes_of<double>({4, 5}) + std::string(48, '\0');
  EXPECT_EQ(read_text(folder / "f"), plain_file(header, data));
}

TEST(Safetensors, GivesBackWhatWasWritten) {
  const TempFolder folder;
  const std::vector<std::uint8_t> u8 = {1, 2, 3};
  const std::vector<std::int32_t> i32 = {-1, 2};
  const std::vector<std::int64_t> i64 = {std::int64_t{1} << 40};
  const std::vector<double> f64 = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  SafetensorsContent content;
  content.tensors = {{"u8", tensor_view(std::span(u8), {3})},
                     {"i32", tensor_view(std::span(i32), {2})},
                     {"i64", tensor_view(std::span(i64), {})},
                     {"f64", tensor_view(std::span(f64), {3, 2})}};
  content.metadata = {{"a", "line\nbreak \"quoted\" \u00e9"}, {"b", ""}};
  write_safetensors(folder / "f", Overwrite::kRefuse, content);

  const SafetensorsFile file(folder / "f");
  std::map<std::string, std::string> metadata = file.metadata();
  EXPECT_EQ(metadata.erase(kChecksumKey), 1U);
  EXPECT_EQ(metadata, content.metadata);
  ASSERT_EQ(file.tensors().size(), 4U);  // no padding among them
  for (const auto& [name, view] : file.tensors()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes.data()) % 64, 0U) << name;
  }
  EXPECT_EQ(file.at("i64").shape, std::vector<std::int64_t>{});
  EXPECT_EQ(file.values<std::int64_t>("i64")[0], i64[0]);
  const std::array<std::int64_t, 2> shape = {-1, 2};
  const auto values = file.values<double>("f64", shape);
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()), f64);
  EXPECT_EQ(file.values<std::int32_t>("i32")[0], -1);
  EXPECT_EQ(file.path(), folder / "f");

  write_safetensors(folder / "again", Overwrite::kRefuse, content);
  EXPECT_EQ(read_text(folder / "f"), read_text(folder / "again"));
}

TEST(Safetensors, StorageOutlivesTheReader) {
  const TempFolder folder;
  // The second tensor is at an odd address, so that it is copied.
  write_file(folder / "f", Overwrite::kRefuse,
             plain_file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                        R"("b":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})",
                        bytes_of<char>({'x'}) + bytes_of<double>({2.5})));
  std::shared_ptr<const MappedFile> storage;
  std::span<const double> values;
  {
    const SafetensorsFile file(folder / "f");
    storage = file.storage();
    values = file.values<double>("b");
  }
  EXPECT_EQ(values[0], 2.5);
}

TEST(Safetensors, WritesFilesWithoutTensorsOrText) {
  const TempFolder folder;
  write_safetensors(folder / "f", Overwrite::kRefuse, {});
  const SafetensorsFile file(folder / "f");
  EXPECT_TRUE(file.tensors().empty());
  EXPECT_EQ(file.metadata().size(), 1U);  // the checksum
}

TEST(Safetensors, ReadsForeignConventions) {
  const TempFolder folder;
  // Nothing aligned, tensors out of order, metadata last, spaces, a type without a C++ twin, an unknown type, no
  // elements.
  const std::string header =
      R"({ "late" : {"shape":[2],"data_offsets":[11,27],"dtype":"F64"}, "half":{"dtype":"BF16","shape":[3],"data_offsets":[5,11]},)"
      R"("first":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},"odd":{"dtype":"F4","shape":[7],"data_offsets":[27,31]},)"
      R"("none":{"dtype":"F32","shape":[4611686018427387904,4,0],"data_offsets":[27,27]},"__metadata__":{"format":"pt"}}  )";
  write_file(folder / "f", Overwrite::kRefuse,
             plain_file(header, "hello" + std::string(6, 'h') + bytes_of<double>({1.5, -2.5}) + "odd!"));
  const SafetensorsFile file(folder / "f");
  EXPECT_EQ(file.meta("format"), "pt");
  const auto late = file.values<double>("late");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(late.data()) % alignof(double), 0U);
  EXPECT_EQ(std::vector<double>(late.begin(), late.end()), (std::vector<double>{1.5, -2.5}));
  EXPECT_EQ(file.at("half").dtype, DType::kOther);
  EXPECT_EQ(file.at("half").bytes.size(), 6U);
  EXPECT_EQ(file.at("odd").dtype, DType::kOther);
  EXPECT_TRUE(file.values<float>("none").empty());
  EXPECT_EQ(file.values<std::uint8_t>("first")[4], 'o');
}

TEST(Safetensors, ChecksWhatIsAskedFor) {
  const TempFolder folder;
  const std::vector<float> a = {1, 2};
  SafetensorsContent content;
  content.tensors = {{"a", tensor_view(std::span(a), {2})}};
  write_safetensors(folder / "f", Overwrite::kRefuse, content);
  const SafetensorsFile file(folder / "f");
  const std::string name = (folder / "f").string();
  EXPECT_TRUE(file.has("a"));
  EXPECT_FALSE(file.has("b"));
  expect_error<DataError>([&] { file.at("b"); }, {name, "no tensor 'b'"});
  expect_error<DataError>([&] { file.meta("k"); }, {name, "no metadata 'k'"});
  expect_error<DataError>([&] { file.values<double>("a"); }, {name, "'a'", "F32", "F64"});
  const std::array<std::int64_t, 1> three = {3};
  expect_error<DataError>([&] { file.values<float>("a", three); }, {name, "'a'", "[2]", "[3]"});
  const std::array<std::int64_t, 2> table = {-1, -1};
  expect_error<DataError>([&] { file.values<float>("a", table); }, {name, "'a'", "[2]", "[-1, -1]"});
}

TEST(WriteSafetensors, RefusesContentThatNobodyCouldRead) {
  const TempFolder folder;
  const std::vector<float> a = {1, 2};
  const auto refuse = [&](const SafetensorsContent& content, const std::string& fault) {
    expect_error<DataError>([&] { write_safetensors(folder / "f", Overwrite::kRefuse, content); },
                            {(folder / "f").string(), fault});
  };
  const TensorView good = tensor_view(std::span(a), {2});
  refuse({{{"a", good}, {"a", good}}, {}}, "twice");
  refuse({{{"__metadata__", good}}, {}}, "reserved");
  refuse({{{"__pad.0", good}}, {}}, "reserved");
  refuse({{{"a", tensor_view(std::span(a), {3})}}, {}}, "shape");
  refuse({{{"a", {DType::kOther, {8}, good.bytes}}}, {}}, "type");
  refuse({{}, {{"k", "\xff\xfe"}}}, "UTF-8");
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(Safetensors, NamesForeignFiles) {
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"table.csv", "system,object,time,x,y\n0,0,0.1,1.5,2.5\n"},
      {"picture.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)},
      {"zeros.bin", std::string(100, '\0')},
      {"short.bin", "abc"},
      {"text.json", R"({"a": 1, "b": [1, 2, 3]})"},
  };
  for (const auto& entry : files) {
    const std::filesystem::path path = folder / entry.first;
    write_file(path, Overwrite::kRefuse, entry.second);
    expect_error<DataError>([&] { SafetensorsFile file(path); }, {path.string(), "not a safetensors file"});
  }
  write_file(folder / "empty", Overwrite::kRefuse, "");
  expect_error<DataError>([&] { SafetensorsFile file(folder / "empty"); }, {(folder / "empty").string(), "is empty"});
}

TEST(Safetensors, RefusesEveryTruncation) {
  const TempFolder folder;
  const std::vector<float> a = {1, 2};
  const std::vector<double> b = {1, 2};
  SafetensorsContent content;
  content.tensors = {{"a", tensor_view(std::span(a), {2})}, {"b", tensor_view(std::span(b), {2})}};
  write_safetensors(folder / "whole", Overwrite::kRefuse, content);
  const std::string whole = read_text(folder / "whole");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(folder / "f", std::ios::binary).write(whole.data(), static_cast<std::streamsize>(length));
    expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {(folder / "f").string()});
    if (length > 9) expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {"truncated"});
  }
  write_file(folder / "f", Overwrite::kAllow, whole + "more");
  expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {"bytes of data"});
}

TEST(Safetensors, RefusesDamagedHeaders) {
  const TempFolder folder;
  const auto refuse = [&](const std::string& header, std::size_t data, const std::string& fault) {
    write_file(folder / "f", Overwrite::kAllow, plain_file(header, std::string(data, 'd')));
    expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {(folder / "f").string(), fault});
  };
  const auto tensor = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  refuse("{\"a\":", 0, "not JSON");
  refuse("{\"a\xff\":1}", 0, "not JSON");
  refuse("{}{}", 0, "not JSON");
  refuse("{\"a\":1e999999}", 0, "not JSON: a number is too large");
  refuse(R"({"a":1})", 0, "tensor 'a' needs");
  refuse(R"({"a":{}})", 0, "tensor 'a' needs");
  refuse(R"({"__metadata__":[1]})", 0, "__metadata__");
  refuse(R"({"__metadata__":{"k":1}})", 0, "metadata 'k'");
  refuse(tensor("1", "[1]", "[0,4]"), 4, "tensor 'a' needs");
  refuse(tensor("\"F32\"", "1", "[0,4]"), 4, "tensor 'a' needs");
  refuse(tensor("\"F32\"", "[1]", "[0,4,8]"), 4, "tensor 'a' needs");
  refuse(tensor("\"F32\"", "[1]", "[4]"), 4, "tensor 'a' needs");
  refuse(tensor("\"F32\"", "[-1]", "[0,4]"), 4, "-1");
  refuse(tensor("\"F32\"", "[1.5]", "[0,4]"), 4, "1.5");
  refuse(tensor("\"F32\"", "[\"1\"]", "[0,4]"), 4, "offset");
  refuse(tensor("\"F32\"", "[1]", "[-4,0]"), 4, "-4");
  refuse(tensor("\"F32\"", "[1]", "[0,18446744073709551615]"), 4, "18446744073709551615");
  refuse(tensor("\"F32\"", "[1]", "[0,99999999999999999999999]"), 4, "offset");
  refuse(tensor("\"F32\"", "[1]", "[0,9000000000000000000]"), 4, "truncated");
  refuse(tensor("\"F32\"", "[1]", "[4,0]"), 4, "ends before it begins");
  refuse(tensor("\"F32\"", "[2]", "[0,4]"), 4, "2 elements");
  refuse(tensor("\"F32\"", "[1]", "[0,5]"), 5, "1 elements");
  refuse(tensor("\"BF16\"", "[1]", "[0,4]"), 4, "1 elements");
  // Products that come out right modulo 2^64.
  refuse(tensor("\"F32\"", "[4611686018427387904,4]", "[0,0]"), 0, "impossible shape");
  refuse(tensor("\"F32\"", "[4294967296,1073741824]", "[0,0]"), 0, "4611686018427387904 elements");
  refuse(tensor("\"X9\"", "[4611686018427387904,4]", "[0,0]"), 0, "impossible shape");
}

TEST(Safetensors, RefusesOverlapsAndGaps) {
  const TempFolder folder;
  const auto refuse = [&](const std::string& first, const std::string& second, std::size_t data,
                          const std::string& fault) {
    const std::string header = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
                               R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second + "}}";
    write_file(folder / "f", Overwrite::kAllow, plain_file(header, std::string(data, 'd')));
    expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {(folder / "f").string(), fault});
  };
  refuse("[0,4]", "[2,6]", 6, "'b' overlaps");
  refuse("[0,4]", "[0,4]", 4, "overlaps");
  refuse("[0,4]", "[6,10]", 10, "'b' comes after a gap");
  refuse("[2,6]", "[6,10]", 10, "'a' comes after a gap");
  refuse("[0,4]", "[4,8]", 9, "bytes of data");
}

// A header of deep nesting must not exhaust the stack.
TEST(Safetensors, RefusesDeepNesting) {
  const TempFolder folder;
  const std::string deep(100'000, '[');
  write_file(folder / "f", Overwrite::kAllow, plain_file("{\"a\":" + deep, ""));
  expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {"not JSON"});
  write_file(folder / "f", Overwrite::kAllow, plain_file("{\"a\":" + deep + std::string(deep.size(), ']') + "}", ""));
  expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {"tensor 'a' needs"});
}

// Every byte of a file, changed in one of its bits or in all of them: the file is refused, or reads as before.
TEST(Safetensors, NeverTakesADamagedFileForAWholeOne) {
  const TempFolder folder;
  const std::vector<float> a = {1.0F, 2.0F, 3.0F};
  const std::vector<std::uint8_t> b = {7};
  SafetensorsContent content;
  content.tensors = {{"z", tensor_view(std::span<const float>(a), {3})},
                     {"b", tensor_view(std::span<const std::uint8_t>(b), {1})}};
  content.metadata = {{"key", "some text"}};
  write_safetensors(folder / "f", Overwrite::kRefuse, content);
  const SafetensorsFile whole(folder / "f");
  const std::string bytes = read_text(folder / "f");
  const auto same = [&](const SafetensorsFile& file) {
    if (file.metadata().at("key") != "some text" || file.tensors().size() != 2) return false;
    for (const auto& [name, view] : whole.tensors()) {
      if (!file.has(name) || file.at(name).dtype != view.dtype || file.at(name).shape != view.shape) return false;
      if (!std::ranges::equal(file.at(name).bytes, view.bytes)) return false;
    }
    return true;
  };
  int refused = 0, tried = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {1 << at % 8, 255}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      std::ofstream(folder / "damaged", std::ios::binary) << damaged;
      ++tried;
      try {
        EXPECT_TRUE(same(SafetensorsFile(folder / "damaged"))) << "byte " << at << ", mask " << mask;
      } catch (const DataError& error) {
        ++refused;
        // What is damaged is not quoted: a terminal or a log may not be able to take it.
        EXPECT_TRUE(std::ranges::all_of(std::string_view(error.what()), [](char c) { return c >= ' '; }))
            << error.what();
      }
    }
  }
  EXPECT_GT(refused, tried / 2);  // the others are in the padding, or in the name of the checksum
}

// The content counts, not the order of tensors, and files without a checksum are as good as ever.
TEST(Safetensors, AChecksumIsOfTheContent) {
  const TempFolder folder;
  const std::vector<float> a = {1.0F};
  const TensorView view = tensor_view(std::span<const float>(a), {1});
  write_safetensors(folder / "f", Overwrite::kRefuse, {{{"a", view}, {"b", view}}, {{"key", "text"}}});
  write_safetensors(folder / "g", Overwrite::kRefuse,
                    {{{"b", view}, {"a", view}}, {{kChecksumKey, "old"}, {"key", "text"}}});
  const std::string sum = SafetensorsFile(folder / "f").meta(kChecksumKey);
  EXPECT_EQ(SafetensorsFile(folder / "g").meta(kChecksumKey), sum);
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  std::ofstream(folder / "h", std::ios::binary) << plain_file(header, bytes_of<float>({1}));
  EXPECT_EQ(SafetensorsFile(folder / "h").values<float>("a")[0], 1.0F);
  std::string damaged = read_text(folder / "f");
  damaged[damaged.size() - 3] ^= 1;
  std::ofstream(folder / "f", std::ios::binary) << damaged;
  expect_error<DataError>([&] { SafetensorsFile file(folder / "f"); }, {"f: is damaged", sum});
}

TEST(DTypes, HaveNamesAndSizes) {
  EXPECT_EQ(dtype_name(DType::kI64), "I64");
  EXPECT_EQ(dtype_name(DType::kOther), "other");
  EXPECT_EQ(dtype_size(DType::kF32), 4U);
  EXPECT_EQ(dtype_size(DType::kOther), 1U);
}

}  // namespace
}  // namespace lgode
