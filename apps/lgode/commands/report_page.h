// Report pages in the command: where they go, what is printed about them, and the browser.
#pragma once

#include <filesystem>
#include <string>

#include "lgode/report/run_page.h"

namespace lgode::app {

// Where the page goes: --out, or report.html in the run folder (next to a checkpoint).
std::filesystem::path report_path(const std::string& run, const std::string& out);

// Prints where a page is, how large it is and what it omits.
void print_page(const report::WrittenPage& page);

// Shows a file in the browser; prints a note where there is none.
void open_in_browser(const std::filesystem::path& path);

}  // namespace lgode::app
