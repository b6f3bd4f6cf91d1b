// Unpacks a stream. Which of these exist is decided by the build. Internal to the reading of tables.
#pragma once

#include <memory>

#include "table/csv/source.h"

namespace lgode::table {

// Nothing where the library was not found at the build.
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed);
std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed);

}  // namespace lgode::table
