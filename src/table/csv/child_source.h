// Text that another program makes of a file: zstd unpacks it, python3 writes a Parquet file as CSV. Internal to the
// reading of tables.
#pragma once

#include <filesystem>
#include <memory>

#include "table/csv/source.h"

namespace lgode::table {

std::unique_ptr<ByteSource> zstd_program_source(const std::filesystem::path& path);
std::unique_ptr<ByteSource> parquet_source(const std::filesystem::path& path);

}  // namespace lgode::table
