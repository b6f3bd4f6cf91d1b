// The project's only binary format, https://github.com/huggingface/safetensors: eight bytes of header length
// (little-endian), a JSON header, the tensors' bytes without gaps. Our writer starts each tensor at a multiple of 64
// bytes of the file; where that needs a gap, a U8 tensor named "__pad.N" fills it, because other readers refuse gaps.
// Our reader hides these, and compares the checksum of the content that our writer puts into the metadata. Independent
// of LibTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/file.h"

namespace lgode {

enum class DType { kU8, kI32, kI64, kF32, kF64, kOther };

std::string_view dtype_name(DType dtype);  // "U8", "I32", ...; kOther: "other"
std::size_t dtype_size(DType dtype);       // bytes of an element; kOther: 1

template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::kU8;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::kI32;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::kI64;
}
template <>
constexpr DType dtype_of<float>() {
  return DType::kF32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::kF64;
}

// A tensor in a file or about to be written to one; does not own its bytes.
struct TensorView {
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;

  std::int64_t elements() const;
};

template <class T>
TensorView tensor_view(std::span<const T> values, std::vector<std::int64_t> shape) {
  return {dtype_of<T>(), std::move(shape), std::as_bytes(values)};
}

// Metadata key: a Hash of all other metadata and of the tensors' names, types, shapes and bytes, each in the order of
// its names. The layout of the file does not matter, so a copy by another program keeps its checksum.
inline constexpr const char* kChecksumKey = "lgode.checksum";

// A file opened for reading; tensors stay in the memory map. Every fault of the file (truncated, header not JSON,
// offsets outside, overlapping or with gaps, shape and size disagree, foreign format, another content than its checksum
// says) is a DataError that names file and fault. A file without a checksum is accepted: other programs and earlier
// versions write none.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(std::filesystem::path path);

  const std::filesystem::path& path() const;
  const std::map<std::string, TensorView>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  // The map that the tensors' bytes live in; keep it to keep them.
  std::shared_ptr<const MappedFile> storage() const { return file_; }

  bool has(const std::string& name) const { return tensors_.contains(name); }
  // The tensor `name`; DataError if absent.
  const TensorView& at(const std::string& name) const;
  // The metadata entry `key`; DataError if absent.
  const std::string& meta(const std::string& key) const;
  // The elements of `name`, checked for type and, where given, for shape (-1: any size in that dimension).
  template <class T>
  std::span<const T> values(const std::string& name, std::span<const std::int64_t> shape = {}) const {
    const TensorView& view = checked(name, dtype_of<T>(), shape);
    return {reinterpret_cast<const T*>(view.bytes.data()), static_cast<std::size_t>(view.elements())};
  }

 private:
  const TensorView& checked(const std::string& name, DType dtype, std::span<const std::int64_t> shape) const;
  void compare_checksum() const;

  std::shared_ptr<const MappedFile> file_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

// What goes into a file: tensors in the given order, and text. The checksum is added; one in the metadata is replaced.
// Same content, same bytes.
struct SafetensorsContent {
  std::vector<std::pair<std::string, TensorView>> tensors;
  std::map<std::string, std::string> metadata;
};

// Writes under a temporary name first; `previous`: see write_file. Throws DataError.
void write_safetensors(const std::filesystem::path& path, Overwrite overwrite, const SafetensorsContent& content,
                       const std::filesystem::path& previous = {});

}  // namespace lgode
