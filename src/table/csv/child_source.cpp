// Reads the output of a child through a pipe; what it says on standard error becomes the message of the error.
#include "table/csv/child_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <system_error>

#include "lgode/core/error.h"
#include "lgode/core/process.h"
#include "lgode/table/cell.h"

namespace lgode::table {
namespace {

constexpr int kLacksModules = 3;  // exit code of the script

// Numbers keep all digits; truth values are 0 and 1. Batch by batch where pyarrow is there.
constexpr const char* kParquetScript = R"python(
import sys
def batches(path):
    try:
        import pandas
    except ImportError:
        sys.exit(3)
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        parquet = None
    if parquet is not None:
        for batch in parquet.ParquetFile(path).iter_batches(65536):
            yield batch.to_pandas(ignore_metadata=True)
        return
    try:
        import fastparquet
    except ImportError:
        sys.exit(3)
    frame = pandas.read_parquet(path, engine="fastparquet")
    yield frame.reset_index() if any(frame.index.names) else frame
try:
    names = True
    for frame in batches(sys.argv[1]):
        for name, kind in list(frame.dtypes.items()):
            if str(kind) == "bool":
                frame[name] = frame[name].astype("int64")
            elif str(kind) in ("float16", "float32"):
                frame[name] = frame[name].astype("float64")
        frame.to_csv(sys.stdout, index=False, header=names)
        names = False
    sys.stdout.flush()
except BrokenPipeError:
    sys.exit(1)
except Exception as error:
    sys.stderr.write(str(error).strip().split("\n")[0] + "\n")
    sys.exit(1)
)python";

class ChildSource : public ByteSource {
 public:
  using Explain = std::function<std::string(int code, const std::string& said)>;

  ChildSource(const std::filesystem::path& path, ChildCommand command, Explain explain)
      : explain_(std::move(explain)), errors_(::memfd_create("errors", MFD_CLOEXEC)) {
    std::array<int, 2> ends{};
    if (errors_ < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
      if (errors_ >= 0) ::close(errors_);
      throw DataError(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
    }
    output_ = ends[0];
    command.output = ends[1], command.errors = errors_;
    try {
      child_.emplace(command);
    } catch (...) {
      for (const int end : {ends[0], ends[1], errors_}) ::close(end);
      throw;
    }
    ::close(ends[1]);
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) size_ = status.st_size;
  }
  ~ChildSource() override {
    ::close(output_), ::close(errors_);
    child_->send_group(SIGTERM);
    child_->wait();
  }

  std::size_t read(char* to, std::size_t room) override {
    for (;;) {
      const ssize_t count = ::read(output_, to, room);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw DataError(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
      if (count == 0) finish();
      return static_cast<std::size_t>(count);
    }
  }
  std::int64_t file_bytes() const override { return ended_ ? size_ : 0; }

 private:
  void finish() {
    ended_ = true;
    const int code = child_->wait().code;
    if (code == 0) return;
    std::string said(4096, '\0');
    const ssize_t count = ::pread(errors_, said.data(), said.size(), 0);
    said.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    said = said.substr(0, said.find('\n'));
    throw DataError(explain_(code, shown_text(said)));
  }

  Explain explain_;
  int output_ = -1, errors_ = -1;
  std::optional<ChildProcess> child_;
  std::int64_t size_ = 0;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_program_source(const std::filesystem::path& path) {
  const ChildCommand command{.program = "zstd", .words = {"zstd", "-dcq", "--", path.string()}};
  return std::make_unique<ChildSource>(path, command, [](int code, const std::string& said) {
    if (code == kNotStarted)
      return std::string(
          "is compressed by Zstandard, lgode was built without libzstd, and there is no program zstd; install zstd "
          "(on Debian: apt-get install zstd), or unpack the file elsewhere");
    return fmt::format("the compressed file is damaged ({}); copy or download it again", said);
  });
}

std::unique_ptr<ByteSource> parquet_source(const std::filesystem::path& path) {
  const std::string whole = std::filesystem::absolute(path).string();
  const ChildCommand command{.program = "python3",
                             .words = {"python3", "-c", kParquetScript, whole},
                             .environment = {"PYTHONIOENCODING=utf-8"}};
  return std::make_unique<ChildSource>(path, command, [](int code, const std::string& said) {
    if (code == kNotStarted)
      return std::string(
          "is Parquet, which is read through Python, and there is no python3; install Python with pandas and pyarrow, "
          "or save the table as CSV");
    if (code == kLacksModules)
      return std::string(
          "is Parquet, which is read through Python, and python3 lacks pandas or pyarrow; install them (python3 -m pip "
          "install pandas pyarrow), or save the table as CSV");
    return fmt::format("is Parquet that python3 cannot read: {}", said.empty() ? "it ended early" : said);
  });
}

}  // namespace lgode::table
