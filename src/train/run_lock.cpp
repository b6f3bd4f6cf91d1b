// The lock is flock() on a file: the system removes it with the process.
#include "lgode/train/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "lgode/core/error.h"

namespace lgode::train {
namespace {

constexpr const char* kLockFile = ".lock";
constexpr int kTries = 5;

std::string owner_of(int file) {
  char text[32] = {};
  const ssize_t count = ::pread(file, text, sizeof text - 1, 0);
  const std::string id(text, count > 0 ? static_cast<std::size_t>(count) : 0);
  return id.substr(0, id.find('\n'));
}

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& owner) {
  const std::string process = owner.empty() ? "another process" : "process " + owner;
  throw DataError(
      fmt::format("{}: {} is training in this folder; wait until it is done, stop it{}, or choose another "
                  "folder with `out`",
                  folder.string(), process, owner.empty() ? std::string() : fmt::format(" (kill -INT {})", owner)));
}

// Whether `path` still names the open file: its owner may have removed it meanwhile.
bool is_at(int file, const std::filesystem::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder) : path_(folder / kLockFile) {
  folders_.emplace(folder, path_);
  for (int tries = 1;; ++tries) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0)
      throw DataError(
          fmt::format("{}: cannot be written: {}; is the folder yours?", path_.string(), std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string owner = owner_of(file_);
      ::close(file_);
      if (tries >= kTries) refuse(folder, owner);
      ::usleep(10'000);  // check_idle() of another process holds it for an instant
      continue;
    }
    if (is_at(file_, path_)) break;
    ::close(file_);
  }
  const std::string id = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, id.data(), id.size(), 0) < 0)
    return;  // the lock holds all the same
}

RunLock::~RunLock() {
  release();
  ::close(file_);
}

void RunLock::release() {
  ::unlink(path_.c_str());
  folders_.reset();
}

void check_idle(const std::filesystem::path& folder) {
  const int file = ::open((folder / kLockFile).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string owner = owner_of(file);
  ::close(file);
  if (locked) refuse(folder, owner);
}

}  // namespace lgode::train
