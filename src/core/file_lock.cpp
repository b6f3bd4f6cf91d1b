// flock() belongs to the open file, not to the process: two locks of one process exclude each other, too.
#include "lgode/core/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lgode {

FileLock::FileLock(const std::filesystem::path& path, Open open)
    : file_(open == Open::kCreate ? ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)
                                  : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) problem_ = std::strerror(errno);
}

FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), problem_(std::move(other.problem_)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this == &other) return *this;
  if (file_ >= 0) ::close(file_);  // what it locked is free at once
  file_ = std::exchange(other.file_, -1);
  problem_ = std::move(other.problem_);
  return *this;
}

FileLock::Outcome FileLock::try_lock(Kind kind) {
  if (::flock(file_, (kind == Kind::kAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return Outcome::kLocked;
  return errno == EWOULDBLOCK ? Outcome::kHeld : Outcome::kUnsupported;
}

bool FileLock::is_at(const std::filesystem::path& path) const {
  struct stat open {
  }, named{};
  return ::fstat(file_, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

void FileLock::write(const std::string& text) {
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, text.data(), text.size(), 0) < 0)
    return;  // the lock holds without it
}

std::string FileLock::text() const {
  char text[256] = {};
  const ssize_t count = ::pread(file_, text, sizeof text, 0);
  return {text, count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace lgode
