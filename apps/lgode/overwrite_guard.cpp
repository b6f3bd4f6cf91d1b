// Compares files, not names: links and relative paths are followed.
#include "overwrite_guard.h"

#include <fmt/format.h>

#include <system_error>

#include "lgode/core/error.h"

namespace lgode::app {

void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs, const char* what) {
  for (const std::filesystem::path& input : inputs) {
    std::error_code error;
    if (std::filesystem::equivalent(out, input, error))
      throw ConfigError(fmt::format("--out {}: is what {} is made from; choose another file", out, what));
  }
}

}  // namespace lgode::app
