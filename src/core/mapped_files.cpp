// A list of slots that grows at its head and is walked without locks.
#include "lgode/core/mapped_files.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "lgode/core/error.h"

namespace lgode {
namespace {

bool same_time(const struct stat& a, const struct stat& b) {
  return a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw DataError(fmt::format("{}: was {} while it was in use; {}", path.string(), what, kChangedFileAdvice));
}

// Never destroyed: a file may be unmapped, and a signal may come, while the program ends.
std::atomic<MappedFiles*>& chosen() {
  static std::atomic<MappedFiles*> files = new MappedFiles;
  return files;
}

}  // namespace

MappedFiles& mapped_files() { return *chosen().load(); }

void share_mapped_files(MappedFiles& files) { chosen() = &files; }

void MappedFiles::add(std::span<const std::byte> bytes, const std::filesystem::path& path, const struct stat& status) {
  const std::scoped_lock lock(mutex_);
  Slot* slot = first_;
  while (slot != nullptr && slot->begin.load() != nullptr) slot = slot->next;
  const bool fresh = slot == nullptr;
  if (fresh) slot = new Slot;
  std::error_code error;  // a folder that is gone: then the path stays as it is
  slot->path = std::filesystem::absolute(path, error);
  if (error) slot->path = path;
  slot->status = status;
  slot->lost = false;
  slot->size = bytes.size();
  slot->begin = bytes.data();
  if (fresh) {
    slot->next = first_;
    first_ = slot;
  }
  if (used_++ == 0 && observer_) observer_(true);
}

void MappedFiles::remove(std::span<const std::byte> bytes) {
  const std::scoped_lock lock(mutex_);
  Slot* slot = find(bytes.data());
  if (slot == nullptr) return;
  slot->begin = nullptr;
  slot->same = {};
  if (--used_ == 0 && observer_) observer_(false);
}

MappedFiles::Slot* MappedFiles::find(const void* address) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (Slot* slot = first_; slot != nullptr; slot = slot->next) {
    const auto begin = reinterpret_cast<std::uintptr_t>(slot->begin.load());
    if (begin != 0 && at >= begin && at - begin < slot->size) return slot;
  }
  return nullptr;
}

const char* MappedFiles::path_at(const void* address) const noexcept {
  const Slot* slot = find(address);
  return slot == nullptr ? nullptr : slot->path.c_str();
}

bool MappedFiles::replace_lost(const void* address) noexcept {
  Slot* slot = find(address);
  if (slot == nullptr) return false;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto from = reinterpret_cast<std::uintptr_t>(address) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(slot->begin.load()) + slot->size;
  // Before the pages: who reads the zeros must be able to notice.
  slot->lost = true;
  ++losses_;
  void* at = reinterpret_cast<void*>(from);
  return ::mmap(at, end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
}

void MappedFiles::check_lost() {
  const std::scoped_lock lock(mutex_);
  for (const Slot* slot = first_; slot != nullptr; slot = slot->next)
    if (slot->begin.load() != nullptr && slot->lost) fail(slot->path, "truncated");
}

void MappedFiles::check(const void* address) {
  const std::scoped_lock lock(mutex_);
  Slot* slot = find(address);
  if (slot == nullptr) return;
  const std::filesystem::path& path = slot->path;
  if (slot->lost) fail(path, "truncated");
  struct stat now {};
  if (::stat(slot->path.c_str(), &now) != 0) return;
  if (now.st_dev != slot->status.st_dev || now.st_ino != slot->status.st_ino) return;
  if (now.st_size != slot->status.st_size)
    fail(path, fmt::format("changed from {} to {} bytes", slot->status.st_size, now.st_size));
  if (same_time(now, slot->status)) return;
  // `touch`, or the same bytes once more.
  if (!slot->same || !slot->same() || slot->lost) fail(path, "overwritten");
  slot->status = now;
}

void MappedFiles::compare_with(const void* address, std::function<bool()> same) {
  const std::scoped_lock lock(mutex_);
  if (Slot* slot = find(address)) slot->same = std::move(same);
}

void MappedFiles::observe(std::function<void(bool)> observer) {
  const std::scoped_lock lock(mutex_);
  observer_ = std::move(observer);
  if (used_ > 0 && observer_) observer_(true);
}

}  // namespace lgode
