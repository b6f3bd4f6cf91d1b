// What the commands print about pages, and pages in a browser.
#include "commands/report_page.h"

#include <fmt/format.h>

#include "lgode/core/error.h"
#include "lgode/core/process.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

std::string size_text(std::size_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{} kB", (bytes + 999) / 1000)
                           : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

fs::path report_path(const std::string& run, const std::string& out) {
  return out.empty() ? report::default_page_path(run) : fs::path(out);
}

void print_page(const report::WrittenPage& page) {
  fmt::print("report: {}, {}\n", page.path.string(), size_text(page.bytes));
  for (const std::string& what : page.left_out) fmt::print("  omitted: {}\n", what);
}

void open_in_browser(const fs::path& path) {
  std::fflush(stdout);
  const std::string full = fs::absolute(path).string();
  int code = kNotStarted;
  try {
    for (const char* opener : {"xdg-open", "open"})
      if (code == kNotStarted)
        code = ChildProcess({.program = opener, .words = {opener, full}, .own = false}).wait().code;
  } catch (const DataError&) {  // no process: no browser
  }
  if (code != 0) fmt::print(stderr, "note: no browser could be opened here; open {} in one\n", full);
}

}  // namespace lgode::app
