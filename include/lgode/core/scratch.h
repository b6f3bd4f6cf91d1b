// Growable arrays for intermediate results that may exceed the memory. They live in anonymous memory or in an unnamed
// temporary file, which the system pages in and out and removes when the process ends, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <type_traits>
#include <utility>

namespace lgode {

// Where a scratch array lives: in memory, or in a file of the folder.
struct ScratchPlace {
  bool in_file = false;
  std::filesystem::path folder;
};

// A growable block of bytes; growing may move it. Throws DataError if the disk is full, std::bad_alloc if the memory
// is.
class Scratch {
 public:
  explicit Scratch(ScratchPlace place) : place_(std::move(place)) {}
  ~Scratch();
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // At least this many bytes, new ones zero.
  void reserve(std::size_t bytes);
  std::byte* data() const { return data_; }

 private:
  void release();

  ScratchPlace place_;
  int file_ = -1;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

template <class T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ScratchArray(ScratchPlace place) : bytes_(std::move(place)) {}

  std::size_t size() const { return size_; }
  T* data() const { return reinterpret_cast<T*>(bytes_.data()); }
  T& operator[](std::size_t i) const { return data()[i]; }
  std::span<T> span() const { return {data(), size_}; }
  // New elements are zero.
  void resize(std::size_t size) {
    bytes_.reserve(size * sizeof(T));
    size_ = size;
  }
  // Makes room for `count` more and returns it.
  std::span<T> extend(std::size_t count) {
    resize(size_ + count);
    return span().last(count);
  }

 private:
  Scratch bytes_;
  std::size_t size_ = 0;
};

// Bytes of memory that the machine has.
std::uint64_t physical_memory();

}  // namespace lgode
