// What a user should know about an import, beyond its result.
#pragma once

#include "lgode/table/import.h"
#include "lgode/use/message.h"

namespace lgode::use {

// Notes on what was skipped and joined, and the import's warnings. Bad rows that were skipped are not among them.
Messages messages(const table::ImportReport& report);

}  // namespace lgode::use
