// The bytes of a table's file: as they are, unpacked by zlib or libzstd (or the program zstd), or written as CSV by
// Python where the file is Parquet. Everything is streamed: at most a block of the file is in memory. Internal to the
// reading of tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "lgode/core/stop.h"

namespace lgode::table {

// What a file's first bytes say.
enum class Packing { kNone, kGzip, kZstd, kParquet };
Packing packing_of(std::string_view first_bytes);

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Up to `room` bytes; 0: the end, which is complete. DataError where the file is damaged, or ends too early; the text
  // names what was found, without the path.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  virtual std::int64_t file_bytes() const = 0;  // that were read of the file
};

// `watched`: waiting for bytes ends with Interrupted on a request of `stop`.
struct SourceOptions {
  bool watched = false;
  const StopFlag* stop = nullptr;
};

struct OpenFile {
  std::unique_ptr<ByteSource> bytes;
  Packing packing = Packing::kNone;
  std::optional<std::int64_t> size;  // of a regular file, as it lies there
};

// Whether a regular file is not text itself. False where it cannot be opened.
bool is_packed(const std::filesystem::path& path);

// DataError names the path.
OpenFile open_source(const std::filesystem::path& path, const SourceOptions& options = {});

}  // namespace lgode::table
