// Scratch arrays on mmap: anonymous memory, or an unnamed file that grows with the array.
#include "lgode/core/scratch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>

#include "lgode/core/error.h"

namespace lgode {
namespace {

constexpr std::size_t kPage = 4096;
// Arrays double when they grow, but by no more than this.
constexpr std::size_t kMostAhead = std::size_t{256} << 20;

[[noreturn]] void fail(const std::filesystem::path& folder, int error) {
  throw DataError(fmt::format("{}: no room for a temporary file: {}; free some space or choose another disk",
                              folder.string(), std::generic_category().message(error)));
}

// An unnamed file that the system removes when it is closed.
int open_nameless(const std::filesystem::path& folder) {
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = (folder / ".lgode-scratch-XXXXXX").string();
  file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail(folder, errno);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

Scratch::~Scratch() { release(); }

Scratch::Scratch(Scratch&& other) noexcept
    : place_(std::move(other.place_)),
      file_(std::exchange(other.file_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  if (this == &other) return *this;
  release();
  place_ = std::move(other.place_);
  file_ = std::exchange(other.file_, -1);
  data_ = std::exchange(other.data_, nullptr);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

void Scratch::release() {
  if (data_ != nullptr) ::munmap(data_, capacity_);
  if (file_ >= 0) ::close(file_);
}

void Scratch::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  std::size_t wanted = std::max(bytes, capacity_ + std::min(capacity_, kMostAhead));
  wanted = (wanted + kPage - 1) / kPage * kPage;
  if (place_.in_file) {
    if (file_ < 0) file_ = open_nameless(place_.folder);
    // Allocated now, so that a full disk is an error here and not a signal at some later store.
    const int error = ::posix_fallocate(file_, 0, static_cast<off_t>(wanted));
    if (error != 0) fail(place_.folder, error);
  }
  void* data = data_ != nullptr ? ::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE)
               : place_.in_file ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0)
                                : ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(data);
  capacity_ = wanted;
}

std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
                               : std::uint64_t{1} << 31;
}

}  // namespace lgode
