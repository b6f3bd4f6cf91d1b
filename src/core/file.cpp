// Files on POSIX: memory maps, and writing under a temporary name in the same folder, synced and then renamed. There
// are no locks: two writers of one path both succeed, and the later one wins (unless overwriting is refused).
#include "lgode/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/mapped_files.h"

namespace lgode {
namespace {

namespace fs = std::filesystem;

// What the user can do about a system error, or nothing.
const char* advice(int error) {
  switch (error) {
    case ENOENT:
      return "; check the path";
    case ENOTDIR:
      return "; a part of the path is a file, not a folder";
    case EACCES:
    case EPERM:
      return "; check its permissions and the permissions of its folder";
    case EROFS:
      return "; choose a folder on a file system that can be written";
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another disk";
    case EFBIG:
      return "; the file system or a limit of the shell (ulimit -f) refuses files of this size";
    default:
      return "";
  }
}

[[noreturn]] void fail(const fs::path& path, std::string_view what, int error) {
  throw DataError(
      fmt::format("{}: {}: {}{}", path.string(), what, std::generic_category().message(error), advice(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// Opens for reading. Refuses a folder here, because the errors of read() and mmap() are less clear.
Descriptor open_readable(const fs::path& path, struct stat& status) {
  // Non-blocking: a named pipe without a writer must not hang.
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) fail(path, "cannot be opened", errno);
  if (::fstat(fd.get(), &status) != 0) fail(path, "cannot be examined", errno);
  if (S_ISDIR(status.st_mode)) throw DataError(fmt::format("{}: is a folder, expected a file", path.string()));
  if (::fcntl(fd.get(), F_SETFL, 0) != 0) fail(path, "cannot be opened", errno);
  return Descriptor(fd.release());
}

// The parent folder of a file.
fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// The path to write to, with symbolic links followed, so that a link stays a link.
fs::path resolve(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(path, "cannot be written", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// The entries of a folder are durable once it is synced; a folder that cannot be synced is not an error.
void sync_folder(const fs::path& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

constexpr std::string_view kTemporaryPrefix = ".lgode-";
constexpr std::string_view kTemporarySuffix = ".tmp";

// A file that is removed unless it is moved to its destination.
class TemporaryFile final : public FileSink {
 public:
  explicit TemporaryFile(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    do {
      name_ = folder_of(target) / fmt::format("{}{}-{}{}", kTemporaryPrefix, ::getpid(), counter++, kTemporarySuffix);
      fd_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd_ < 0 && errno == EEXIST);
    if (fd_ < 0) fail(target_, "cannot be created", errno);
    struct stat status {};
    if (::stat(target_.c_str(), &status) == 0 && ::fchmod(fd_, status.st_mode & 07777) != 0) {
      // Keeping the replaced file's mode is optional; some file systems have none.
    }
    buffer_.reserve(kBuffer);
  }
  ~TemporaryFile() override {
    if (fd_ >= 0) ::close(fd_);
    if (!moved_) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  using FileSink::write;
  void write(std::span<const std::byte> bytes) override {
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
      write_all(fd_, bytes, target_);
    } else {
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
  }

  void move_to_target(Overwrite overwrite, const fs::path& previous) {
    flush();
    if (::fsync(fd_) != 0) fail(target_, "cannot be written", errno);
    if (::close(std::exchange(fd_, -1)) != 0) fail(target_, "cannot be written", errno);
    if (!previous.empty()) keep_target_as(previous);
    rename(overwrite);
    moved_ = true;
    sync_folder(folder_of(target_));
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 20;

  void flush() {
    write_all(fd_, buffer_, target_);
    buffer_.clear();
  }

  // Gives the file to be replaced a second name, so that it keeps its own until the new one is in place.
  void keep_target_as(const fs::path& previous) {
    const fs::path link = fs::path(name_).replace_extension(".old.tmp");
    if (::link(target_.c_str(), link.c_str()) == 0) {
      const bool kept = ::rename(link.c_str(), previous.c_str()) == 0;
      const int error = errno;
      ::unlink(link.c_str());  // is still there if both were names of one file already
      if (!kept) fail(previous, "cannot be put in place", error);
    } else if (errno != ENOENT && ::rename(target_.c_str(), previous.c_str()) != 0) {
      fail(previous, "cannot be put in place", errno);  // neither hard links nor names can be changed here
    }
  }

  void rename(Overwrite overwrite) {
    if (overwrite == Overwrite::kRefuse) {
      if (::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0) return;
      // Not every file system can refuse atomically; there, check again just before renaming.
      if (errno != EINVAL && errno != ENOSYS) {
        if (errno == EEXIST) check_writable(target_, overwrite);
        fail(target_, "cannot be put in place", errno);
      }
      check_writable(target_, overwrite);
    }
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be put in place", errno);
  }

  fs::path target_;
  fs::path name_;
  int fd_ = -1;
  bool moved_ = false;
  std::vector<std::byte> buffer_;
};

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
  struct stat status {};
  const Descriptor fd = open_readable(path_, status);
  if (!S_ISREG(status.st_mode)) {
    throw DataError(fmt::format("{}: is a device or a pipe, expected a regular file", path_.string()));
  }
  if (status.st_size == 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) fail(path_, "cannot be mapped into memory", errno);
  data_ = static_cast<const std::byte*>(data);
  size_ = size;
  try {
    mapped_files().add(bytes(), path_, status);
  } catch (...) {
    ::munmap(data, size);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  mapped_files().remove(bytes());
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void check_writable(const std::filesystem::path& path, Overwrite overwrite) {
  if (!path.has_filename()) throw DataError(fmt::format("'{}': names no file", path.string()));
  const fs::path target = resolve(path);
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw DataError(fmt::format("{}: is a folder; name a file", path.string()));
    if (!S_ISREG(status.st_mode)) {
      throw DataError(fmt::format("{}: is a device or a pipe; name a regular file", path.string()));
    }
    if (overwrite == Overwrite::kRefuse) {
      throw ExistsError(fmt::format("{}: exists already", path.string()));
    }
  } else if (errno != ENOENT) {
    fail(path, "cannot be written", errno);
  }
  // The nearest folder that exists must take new entries.
  fs::path folder = folder_of(target);
  while (::stat(folder.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, fmt::format("folder {} cannot be used", folder.string()), errno);
    folder = folder_of(folder);
  }
  if (!S_ISDIR(status.st_mode)) {
    throw DataError(fmt::format("{}: {} is a file, expected a folder", path.string(), folder.string()));
  }
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    fail(path, fmt::format("folder {} cannot be written to", folder.string()), errno);
  }
}

NewFolders::NewFolders(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error) && at != at.parent_path(); at = at.parent_path())
    if (at.has_filename()) missing.push_back(at);
  fs::create_directories(folder, error);
  if (error) fail(path, fmt::format("folder {} cannot be made", folder.string()), error.value());
  for (const fs::path& made : missing) sync_folder(folder_of(made));
  made_ = std::move(missing);
}

NewFolders::~NewFolders() {
  // rmdir keeps folders that are not empty.
  for (const fs::path& folder : made_) ::rmdir(folder.c_str());
}

void write_file(const std::filesystem::path& path, Overwrite overwrite, const std::function<void(FileSink&)>& fill,
                const std::filesystem::path& previous) {
  check_writable(path, overwrite);
  const fs::path target = resolve(path);
  NewFolders folders(folder_of(target), path);
  TemporaryFile file(target);
  fill(file);
  file.move_to_target(overwrite, previous);
  folders.keep();
}

void write_file(const std::filesystem::path& path, Overwrite overwrite, std::string_view text) {
  write_file(path, overwrite, [text](FileSink& sink) { sink.write(text); });
}

void append_file(const std::filesystem::path& path, std::string_view text) {
  const bool existed = fs::exists(path);
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (fd.get() < 0) fail(path, "cannot be written", errno);
  write_all(fd.get(), std::as_bytes(std::span(text)), path);
  if (::fdatasync(fd.get()) != 0) fail(path, "cannot be written", errno);
  if (!existed) sync_folder(folder_of(path));
}

namespace {

// Whether a process can still write. An ended process stays listed until its parent, or the system, has waited for it.
bool is_running(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string about;  // number (name) state ...; the name may have any characters
  if (!std::getline(file, about)) return true;
  const std::size_t end = about.rfind(')');
  if (end == std::string::npos || end + 2 >= about.size()) return true;
  return about[end + 2] != 'Z' && about[end + 2] != 'X';
}

}  // namespace

void remove_leftovers(const std::filesystem::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kTemporaryPrefix) || !name.ends_with(kTemporarySuffix)) continue;
    pid_t owner = 0;
    std::from_chars(name.data() + kTemporaryPrefix.size(), name.data() + name.size(), owner);
    if (owner <= 0 || (owner != ::getpid() && is_running(owner))) continue;
    ::unlink(entry.path().c_str());
  }
}

std::string read_text(const std::filesystem::path& path) {
  struct stat status {};
  const Descriptor fd = open_readable(path, status);
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (;;) {
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail(path, "cannot be read", errno);
    }
  }
}

}  // namespace lgode
