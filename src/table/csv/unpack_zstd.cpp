// Unpacks Zstandard by libzstd: several frames after each other are one text.
#include <fmt/format.h>
#include <zstd.h>

#include <vector>

#include "lgode/core/error.h"
#include "table/csv/unpack.h"

namespace lgode::table {
namespace {

class UnpackZstd : public ByteSource {
 public:
  explicit UnpackZstd(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)), stream_(::ZSTD_createDStream()), buffer_(::ZSTD_DStreamInSize()) {
    if (stream_ == nullptr) throw DataError("is compressed, and libzstd does not start");
  }
  ~UnpackZstd() override { ::ZSTD_freeDStream(stream_); }

  std::size_t read(char* to, std::size_t room) override {
    ZSTD_outBuffer out{to, room, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !full_) {
        in_ = {buffer_.data(), packed_->read(buffer_.data(), buffer_.size()), 0};
        if (in_.size == 0 && within_) throw DataError("the compressed file ends too early; copy or download it again");
        if (in_.size == 0) return 0;
      }
      const std::size_t result = ::ZSTD_decompressStream(stream_, &out, &in_);
      if (::ZSTD_isError(result) != 0)
        throw DataError(
            fmt::format("the compressed file is damaged ({}); copy or download it again", ::ZSTD_getErrorName(result)));
      within_ = result != 0;
      full_ = within_ && out.pos == out.size;  // there may be more without further input
    }
    return out.pos;
  }
  std::int64_t file_bytes() const override { return packed_->file_bytes(); }

 private:
  std::unique_ptr<ByteSource> packed_;
  ZSTD_DStream* stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool within_ = false, full_ = false;  // a frame
};

}  // namespace

std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed) {
  return std::make_unique<UnpackZstd>(std::move(packed));
}

}  // namespace lgode::table
