// Arrays that numpy saved (.npy): of numbers, and of objects that are arrays, lists or numbers themselves. The latter
// are pickles; only what such arrays consist of is read, nothing is ever called or looked up. Numbers become doubles.
// Text, complex and half-precision numbers, structured types and big-endian files are not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lgode::data {

struct NpyArray {
  std::vector<std::int64_t> shape;  // empty: one number
  bool of_objects = false;
  std::vector<double> numbers;                         // row by row, where it is of numbers
  std::vector<std::shared_ptr<const NpyArray>> items;  // row by row, where it is of objects

  std::int64_t elements() const;  // product of the shape
};

// `where` opens the messages of DataErrors: not numpy's format, truncated, of a type that is not read, a pickle of
// something else or a damaged one. They name the byte at which reading failed.
NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& where);

NpyArray read_npy(const std::filesystem::path& path);

}  // namespace lgode::data
