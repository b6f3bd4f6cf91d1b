// The files that are mapped into memory now. Reading a page that a file no longer has is not an error that a call can
// return, but a signal (SIGBUS). Here a program that handles it learns which file the address belongs to, and those who
// read through a map learn whether the file still is what it was. The library itself handles no signals.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>

namespace lgode {

// What to do about a file that was changed while it was in use; follows "PATH: was truncated while it was in use".
inline constexpr const char* kChangedFileAdvice =
    "what is computed from it would be wrong; put the file back as it was and start again (a training continues with "
    "`resume`), and write changed data to another file, or replace the file by renaming, as lgode does";

// Thread-safe. MappedFile adds and removes.
class MappedFiles {
 public:
  void add(std::span<const std::byte> bytes, const std::filesystem::path& path, const struct stat& status);
  void remove(std::span<const std::byte> bytes);

  // For handlers of signals: they neither lock nor allocate.
  // The path of the file that is mapped at this address; null: none is.
  const char* path_at(const void* address) const noexcept;
  // Puts zeros in place of the page and all after it in its map, which counts as lost from now on. False where no file
  // is mapped or the system refuses.
  bool replace_lost(const void* address) noexcept;
  // How often pages were replaced.
  std::int64_t losses() const noexcept { return losses_; }

  // DataError if the file that is mapped at this address has another size or time of change than when it was mapped,
  // or has lost pages. A file that was renamed, removed, or replaced by renaming another one leaves the map as it was.
  // Where nothing is mapped, there is nothing to check.
  void check(const void* address);
  // DataError if any file has lost pages.
  void check_lost();
  // For the map at this address: whether its content is still the same although the time of change is not.
  void compare_with(const void* address, std::function<bool()> same);

  // Called when the first file is mapped (true) and after the last one is unmapped (false).
  void observe(std::function<void(bool)> observer);

 private:
  // A slot is used again, never freed: handlers walk the list at any time.
  struct Slot {
    std::atomic<const std::byte*> begin = nullptr;  // null: free
    std::atomic<std::size_t> size = 0;
    std::atomic<bool> lost = false;
    std::filesystem::path path;  // absolute
    struct stat status {};
    std::function<bool()> same;
    Slot* next = nullptr;
  };
  Slot* find(const void* address) const noexcept;

  std::mutex mutex_;
  std::atomic<Slot*> first_ = nullptr;
  std::atomic<std::int64_t> losses_ = 0;
  std::int64_t used_ = 0;
  std::function<void(bool)> observer_;
};

// The one of this program. A program that contains this library twice (the two modules of the Python package) makes
// both copies use the same with share_mapped_files(), before the second one maps a file.
MappedFiles& mapped_files();
void share_mapped_files(MappedFiles& files);

}  // namespace lgode
