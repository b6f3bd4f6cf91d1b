// Of commands that fill a folder for hours: nobody else may write there, and the user is told how to go on.
#pragma once

#include <filesystem>
#include <string>

#include "lgode/core/file_lock.h"

namespace lgode::app {

// Two processes in one folder would overwrite each other's files. `alone`: nobody else may hold the lock `name`;
// otherwise others may that are not alone, either. The folder is made. DataError says that `who` is running there.
FileLock lock_folder(const std::filesystem::path& folder, const std::string& name, bool alone, const std::string& who);

// This command line, for the user to repeat.
std::string this_command();

}  // namespace lgode::app
