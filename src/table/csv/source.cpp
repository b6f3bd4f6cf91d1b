// Opens a table's file, looks at its first bytes, and puts what unpacks it in front of it.
#include "table/csv/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "lgode/core/error.h"
#include "table/csv/child_source.h"
#include "table/csv/unpack.h"

namespace lgode::table {
namespace {

constexpr std::string_view kGzip = "\x1F\x8B", kZstd = "\x28\xB5\x2F\xFD", kParquet = "PAR1";

// A descriptor, which it closes.
class FileSource : public ByteSource {
 public:
  FileSource(int file, const SourceOptions& options) : file_(file), options_(options) {}
  ~FileSource() override { ::close(file_); }

  // Reads the first bytes, as far as they are needed to tell what the file is. They are read again later.
  std::string_view first_bytes() {
    constexpr std::size_t kFirst = 4096;
    const auto open_question = [&] {
      const auto begins = [&](std::string_view magic) {
        return first_.size() < magic.size() && magic.starts_with(first_);
      };
      return begins(kGzip) || begins(kZstd) || begins(kParquet);
    };
    while (open_question()) {
      const std::size_t before = first_.size();
      first_.resize(before + kFirst);
      const std::size_t count = from_file(first_.data() + before, kFirst);
      first_.resize(before + count);
      if (count == 0) break;
    }
    return first_;
  }

  std::size_t read(char* to, std::size_t room) override {
    const std::size_t kept = std::min(room, first_.size());
    if (kept == 0) return from_file(to, room);
    std::memcpy(to, first_.data(), kept);
    first_.erase(0, kept);
    return kept;
  }
  std::int64_t file_bytes() const override { return bytes_ - static_cast<std::int64_t>(first_.size()); }

 private:
  std::size_t from_file(char* to, std::size_t room) {
    for (;;) {
      if (options_.watched) wait();
      const ssize_t count = ::read(file_, to, room);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw DataError(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
      bytes_ += count;
      return static_cast<std::size_t>(count);
    }
  }

  // Until there is something to read.
  void wait() const {
    constexpr int kMilliseconds = 100;  // between two looks at the stop flag
    for (;;) {
      if (options_.stop != nullptr && options_.stop->requested()) throw Interrupted();
      pollfd file{file_, POLLIN, 0};
      if (::poll(&file, 1, kMilliseconds) > 0) return;
    }
  }

  int file_;
  SourceOptions options_;
  std::string first_;
  std::int64_t bytes_ = 0;
};

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) {
  throw DataError(fmt::format("{}: {}", path.string(), why));
}

// The bytes of a packed file as text.
std::unique_ptr<ByteSource> unpacked(const std::filesystem::path& path, Packing packing, bool regular,
                                     std::unique_ptr<FileSource> file) {
  if (packing == Packing::kNone) return file;
  if (packing == Packing::kParquet) {
    if (!regular) refuse(path, "is Parquet in a pipe, which can be read from a file only; name the file itself");
    return parquet_source(path);
  }
  if (packing == Packing::kGzip) {
    auto text = gunzip(std::move(file));
    if (text == nullptr)
      refuse(path, "is compressed by gzip, and lgode was built without zlib; pass <(zcat FILE), or unpack it first");
    return text;
  }
  if (auto text = unpack_zstd(std::move(file))) return text;
  if (!regular) refuse(path, "is compressed by Zstandard, and lgode was built without libzstd; pass <(zstd -dc FILE)");
  return zstd_program_source(path);
}

}  // namespace

Packing packing_of(std::string_view first_bytes) {
  return first_bytes.starts_with(kGzip)      ? Packing::kGzip
         : first_bytes.starts_with(kZstd)    ? Packing::kZstd
         : first_bytes.starts_with(kParquet) ? Packing::kParquet
                                             : Packing::kNone;
}

bool is_packed(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string first(kZstd.size(), '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  return packing_of(first) != Packing::kNone;
}

OpenFile open_source(const std::filesystem::path& path, const SourceOptions& options) {
  const auto fail = [&](int error) {
    refuse(path, fmt::format("cannot be opened: {}{}", std::generic_category().message(error),
                             error == ENOENT ? "; check the path" : ""));
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(errno);
  auto file = std::make_unique<FileSource>(descriptor, options);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode))
    refuse(path, fmt::format("is a folder, expected a file; to read all its files, name them with a pattern such as "
                             "'{}'",
                             (path / "*.csv").string()));
  OpenFile opened;
  const bool regular = S_ISREG(status.st_mode);
  if (regular) opened.size = status.st_size;
  try {
    opened.packing = packing_of(file->first_bytes());
    opened.bytes = unpacked(path, opened.packing, regular, std::move(file));
  } catch (const DataError& error) {
    if (std::string_view(error.what()).starts_with(path.string())) throw;
    refuse(path, error.what());
  }
  return opened;
}

}  // namespace lgode::table
