// What a user should know about an import, beyond its result.
#pragma once

#include <string>
#include <string_view>

#include "lgode/table/import.h"
#include "lgode/use/message.h"

namespace lgode::use {

// Notes on what was skipped and joined, and the import's warnings. Bad rows that were skipped are not among them.
// `about_every`: what a note on rows that `every` skips ends with.
Messages messages(const table::ImportReport& report, std::string_view about_every = {});
// "skipped 3 bad rows and 0 bad edges"; empty if none was.
std::string skipped_text(const table::ImportReport& report);

}  // namespace lgode::use
