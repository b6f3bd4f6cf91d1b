// The lock of a run folder: who holds it, and what happens to the file.
#include "lgode/train/run_lock.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "lgode/core/error.h"

namespace lgode::train {
namespace {

constexpr const char* kLockFile = ".lock";
constexpr int kTries = 5;

std::string owner_of(const FileLock& lock) {
  const std::string text = lock.text();
  return text.substr(0, text.find('\n'));
}

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& owner) {
  const std::string process = owner.empty() ? "another process" : "process " + owner;
  throw DataError(
      fmt::format("{}: {} is training in this folder; wait until it is done, stop it{}, or choose another "
                  "folder with `out`",
                  folder.string(), process, owner.empty() ? std::string() : fmt::format(" (kill -INT {})", owner)));
}

// Opens and locks the file. Tries again where its owner removed it meanwhile, and where check_idle() of another process
// holds it for an instant.
FileLock lock_folder(const std::filesystem::path& folder, const std::filesystem::path& path) {
  for (int tries = 1;; ++tries) {
    FileLock lock(path);
    if (!lock.is_open())
      throw DataError(fmt::format("{}: cannot be written: {}; is the folder yours?", path.string(), lock.problem()));
    if (lock.try_lock(FileLock::Kind::kAlone) == FileLock::Outcome::kHeld) {
      if (tries >= kTries) refuse(folder, owner_of(lock));
      ::usleep(10'000);
    } else if (lock.is_at(path)) {
      return lock;
    }
  }
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder)
    : path_(folder / kLockFile), folders_(std::in_place, folder, path_), lock_(lock_folder(folder, path_)) {
  lock_.write(fmt::format("{}\n", ::getpid()));
}

RunLock::~RunLock() { release(); }

void RunLock::release() {
  if (lock_.is_at(path_)) ::unlink(path_.c_str());  // once released, the file is another process's
  folders_.reset();
}

void check_idle(const std::filesystem::path& folder) {
  FileLock lock(folder / kLockFile, FileLock::Open::kExisting);
  if (lock.is_open() && lock.try_lock(FileLock::Kind::kShared) == FileLock::Outcome::kHeld)
    refuse(folder, owner_of(lock));
}

}  // namespace lgode::train
