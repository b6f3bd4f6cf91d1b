// A lock between processes: flock() on a file, which the system removes with the process, however it ends.
#pragma once

#include <filesystem>
#include <string>

namespace lgode {

// Locked until it is destroyed. The file stays, with the text that the owner wrote into it.
class FileLock {
 public:
  enum class Open { kCreate, kExisting };
  enum class Kind { kAlone, kShared };
  // kHeld: by another FileLock, of this process or another. kUnsupported: the file system has no locks.
  enum class Outcome { kLocked, kHeld, kUnsupported };

  // Opens the file and locks nothing. Folders are not made.
  explicit FileLock(const std::filesystem::path& path, Open open = Open::kCreate);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  // False where the file could not be opened; problem() then says why, in the system's words. Only try_lock() needs an
  // open file.
  bool is_open() const { return file_ >= 0; }
  const std::string& problem() const { return problem_; }

  // Does not wait.
  Outcome try_lock(Kind kind);

  // Whether `path` still names the open file: the owner may have removed it before this lock.
  bool is_at(const std::filesystem::path& path) const;

  // Text about the owner, for processes that find the file locked. Failures to write are ignored.
  void write(const std::string& text);
  std::string text() const;

 private:
  int file_ = -1;
  std::string problem_;
};

}  // namespace lgode
