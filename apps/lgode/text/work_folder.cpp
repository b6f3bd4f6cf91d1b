// Locks a folder; reads this process's words.
#include "text/work_folder.h"

#include <fmt/format.h>

#include <sstream>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/use/format.h"

namespace lgode::app {

FileLock lock_folder(const std::filesystem::path& folder, const std::string& name, bool alone, const std::string& who) {
  const std::filesystem::path path = folder / name;
  check_writable(path, Overwrite::kAllow);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  FileLock lock(path);
  if (!lock.is_open()) throw DataError(fmt::format("{}: cannot be written ({})", path.string(), lock.problem()));
  if (lock.try_lock(alone ? FileLock::Kind::kAlone : FileLock::Kind::kShared) == FileLock::Outcome::kHeld)
    throw DataError(fmt::format("{}: {} is running there", folder.string(), who));
  return lock;
}

std::string this_command() {
  std::istringstream words(read_text("/proc/self/cmdline"));
  std::string text = "lgode", word;
  std::getline(words, word, '\0');
  while (std::getline(words, word, '\0')) text += " " + use::format_word(word);
  return text;
}

}  // namespace lgode::app
