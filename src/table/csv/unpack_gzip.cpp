// Unpacks gzip by zlib: several members after each other are one text, as `zcat` reads them.
#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "lgode/core/error.h"
#include "table/csv/unpack.h"

namespace lgode::table {
namespace {

class Gunzip : public ByteSource {
 public:
  explicit Gunzip(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {
    constexpr int kGzip = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + kGzip) != Z_OK) throw DataError("is compressed, and zlib does not start");
  }
  ~Gunzip() override { ::inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t room) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(room, std::size_t{1} << 30U));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted && !ended_) step();
    return wanted - stream_.avail_out;
  }
  std::int64_t file_bytes() const override { return packed_->file_bytes(); }

 private:
  void step() {
    if (stream_.avail_in == 0) {
      const std::size_t count = packed_->read(buffer_.data(), buffer_.size());
      if (count == 0 && !between_) throw DataError("the compressed file ends too early; copy or download it again");
      if (count == 0) {
        ended_ = true;
        return;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_in = static_cast<uInt>(count);
    }
    if (between_ && !begin_member()) return;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
      between_ = true, ::inflateReset(&stream_);
    else if (result != Z_OK && result != Z_BUF_ERROR)
      throw DataError(fmt::format("the compressed file is damaged ({}); copy or download it again",
                                  stream_.msg == nullptr ? "zlib" : stream_.msg));
  }

  // After a member: zeros that fill a block are skipped, as gzip does. False: nothing is left to unpack.
  bool begin_member() {
    while (members_ && stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
    if (stream_.avail_in == 0) return false;
    members_ = true, between_ = false;
    return true;
  }

  std::unique_ptr<ByteSource> packed_;
  z_stream stream_{};
  std::array<char, std::size_t{1} << 16U> buffer_{};
  bool between_ = true;  // before or after a member
  bool members_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed) {
  return std::make_unique<Gunzip>(std::move(packed));
}

}  // namespace lgode::table
