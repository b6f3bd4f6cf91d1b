// Files: reading through memory maps, and writing that never leaves a partial file or replaces one unasked.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgode {

// Read-only memory map of a whole file. Throws DataError naming the file if it is absent, a folder or unreadable.
class MappedFile {
 public:
  explicit MappedFile(std::filesystem::path path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Where write_file puts its content. Appends; throws DataError naming the file if the disk refuses.
class FileSink {
 public:
  virtual ~FileSink() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
};

enum class Overwrite { kRefuse, kAllow };

// Throws ExistsError if `path` exists and overwriting was not allowed, and DataError if its folder cannot be created or
// written to. Call it before long work, too.
void check_writable(const std::filesystem::path& path, Overwrite overwrite);

// Creates a folder and its missing parents. The destructor removes the ones that are still empty, unless keep()
// was called. Throws DataError naming `path`, the file to be written there.
class NewFolders {
 public:
  NewFolders(const std::filesystem::path& folder, const std::filesystem::path& path);
  ~NewFolders();
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // innermost first
};

// Calls `fill` with a sink on a temporary file in the same folder, then syncs it and renames it to `path`. On failure
// `path` is unchanged and the temporary file is removed, as are parent folders that were created. Throws DataError.
// `previous`, a name in the same folder: the replaced file stays there, instead of what had this name. `path` names a
// whole file at every moment, on file systems with hard links.
void write_file(const std::filesystem::path& path, Overwrite overwrite, const std::function<void(FileSink&)>& fill,
                const std::filesystem::path& previous = {});
void write_file(const std::filesystem::path& path, Overwrite overwrite, std::string_view text);

// Appends to a file in one piece and syncs it; a new file is made if there is none. If the process or the machine
// stops during the write, a part of the text may be at the end of the file. Throws DataError.
void append_file(const std::filesystem::path& path, std::string_view text);

// Removes the temporary files that killed writers left in a folder: files of processes that have ended, and files of
// this process, which must not be writing there. Failures are ignored.
void remove_leftovers(const std::filesystem::path& folder);

// The whole of a small text file. Throws DataError naming the file.
std::string read_text(const std::filesystem::path& path);

}  // namespace lgode
