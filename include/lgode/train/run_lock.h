// Keeps two processes from training in one folder. No LibTorch here.
#pragma once

#include <filesystem>
#include <optional>

#include "lgode/core/file.h"
#include "lgode/core/file_lock.h"

namespace lgode::train {

// Locks a run folder, which is made if it is absent, until it is destroyed or the process ends, however it ends. The
// file .lock in the folder holds the process id. Reading the folder needs no lock. Where the file system has no locks,
// nothing is locked.
class RunLock {
 public:
  // DataError with the process id if another process has locked it.
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // Keeps folders that were made for the lock.
  void keep() { folders_->keep(); }
  // Removes the file and folders that were made for the lock and not kept: for a process that is about to end without
  // destroying the lock.
  void release();

 private:
  std::filesystem::path path_;
  std::optional<NewFolders> folders_;
  FileLock lock_;
};

// DataError with the process id if a process is training in the folder.
void check_idle(const std::filesystem::path& folder);

}  // namespace lgode::train
