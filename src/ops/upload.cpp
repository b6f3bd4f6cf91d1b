// Packed uploads: places tensors in pinned memory and copies them to the device by block.
#include "lgode/ops/upload.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "lgode/ops/device.h"

namespace lgode::ops {
namespace {

constexpr std::int64_t kAlignment = 256;  // of a tensor in its block, as of LibTorch's own
constexpr std::int64_t kLeastBlock = std::int64_t{1} << 16;

}  // namespace

Upload Upload::packed(at::Device device, std::int64_t bytes, Purpose purpose) {
  Upload upload(device);
  upload.purpose_ = purpose;
  upload.packed_ = !device.is_cpu();
  if (!upload.packed_) return upload;
  const std::int64_t size = std::max(bytes, kLeastBlock);
  const at::TensorOptions memory(at::kByte);
  upload.blocks_.push_back({at::empty({size}, memory.pinned_memory(true)), at::empty({size}, memory.device(device))});
  return upload;
}

at::Tensor Upload::pack(const at::Tensor& host) {
  const at::Tensor whole = host.contiguous();
  void* to = nullptr;
  const at::Tensor there = room(whole.sizes(), whole.scalar_type(), &to);
  if (whole.numel() > 0) std::memcpy(to, whole.data_ptr(), static_cast<std::size_t>(whole.nbytes()));
  return there;
}

at::Tensor Upload::room(at::IntArrayRef sizes, at::ScalarType type, void** host) {
  TORCH_CHECK(!sent_, "upload: it was already sent");
  auto count = static_cast<std::int64_t>(c10::elementSize(type));
  for (const std::int64_t size : sizes) count *= size;
  if (blocks_.back().used + count > blocks_.back().host.numel()) {
    const std::int64_t size = std::max({count, blocks_.back().host.numel(), kLeastBlock});
    const at::TensorOptions memory(at::kByte);
    blocks_.push_back({at::empty({size}, memory.pinned_memory(true)), at::empty({size}, memory.device(device_))});
  }
  Block& block = blocks_.back();
  const std::int64_t at = block.used;
  *host = block.host.data_ptr<std::uint8_t>() + at;
  block.used = (at + count + kAlignment - 1) / kAlignment * kAlignment;
  block.used = std::min(block.used, block.host.numel());
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d > 0; --d) strides[d - 1] = stride, stride *= sizes[d - 1];
  // The view keeps its block alive.
  const std::function<void(void*)> hold = [memory = block.device](void*) {};
  return at::from_blob(block.device.data_ptr<std::uint8_t>() + at, sizes, strides, hold,
                       at::TensorOptions(type).device(device_), device_);
}

void Upload::send() {
  if (!packed_ || sent_) return;
  for (const Block& block : blocks_)
    if (block.used > 0)
      block.device.narrow(0, 0, block.used).copy_(block.host.narrow(0, 0, block.used), /*non_blocking=*/true);
  sent_ = true;
}

void Upload::send_to(const Upload& other) {
  TORCH_CHECK(packed_ && other.packed_, "upload: both have to be packed");
  const bool alike = blocks_.size() == 1 && other.blocks_.size() == 1 && blocks_[0].used == other.blocks_[0].used;
  if (!alike) {
    send();
    copy_all(tensors_, other.tensors_);
    return;
  }
  const Block &from = blocks_[0], &to = other.blocks_[0];
  const at::Tensor& source = sent_ ? from.device : from.host;
  if (from.used > 0) to.device.narrow(0, 0, from.used).copy_(source.narrow(0, 0, from.used), /*non_blocking=*/true);
}

std::int64_t Upload::bytes() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += block.used;
  return sum;
}

}  // namespace lgode::ops
