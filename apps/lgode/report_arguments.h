// The command lines of lgode report, lgode plot and lgode compare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lgode::app {

struct ReportArguments {
  std::string run, data, out, device = "auto";
  std::int64_t systems = 12, threads = 0, most_bytes = 5'000'000;
  bool open = false, force = false, allow_mismatch = false, quiet = false;
};

struct PlotArguments {
  std::string run, data, out, system, title, device = "auto";
  std::string truth;                         // of a filled table: the values that are known
  std::int64_t threads = 0, objects = 0;     // 0: as many as can be told apart
  std::vector<std::string> features, names;  // none: the positions; all objects
  bool force = false, allow_mismatch = false;
};

struct CompareArguments {
  std::vector<std::string> runs;
  std::string out, data, device = "auto";
  std::int64_t threads = 0;
  bool open = false, force = false, allow_mismatch = false;
};

}  // namespace lgode::app
