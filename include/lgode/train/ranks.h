// The processes of one training, each a rank: sums and copies between them, requests to stop, and what happened to a
// lost rank. Built on LibTorch's process groups (c10d): Gloo for tensors in memory, NCCL for those on GPUs.
//
// All ranks make the same calls in the same order. A call that fails because another rank is gone throws RankLostError,
// and Interrupted if all ranks are ending on request.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/train/rank_place.h"

namespace lgode::train {

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Among the ranks of this machine.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;
  // "rank 2 (node7, process 123)".
  virtual std::string name(int rank) const = 0;
  // What sums tensors on a GPU, "nccl" or "gloo".
  virtual std::string backend() const = 0;
  // Sums of tensors on a GPU are queued there and may be captured; else they pass through memory.
  bool on_device() const { return backend() == "nccl"; }

  // Sum over the ranks in place; the same bits on all of them. The tensor is contiguous.
  virtual void sum(at::Tensor& tensor) = 0;
  // The values of rank 0, in place.
  virtual void broadcast(at::Tensor& tensor) = 0;
  std::string broadcast(const std::string& text);
  std::vector<double> sum(const std::vector<double>& values);

  // From now on a request of `own` is passed on to all ranks.
  virtual void watch(const StopFlag* own) = 0;
  // Requested on any rank; the others receive it within a second. To stop after the same step, add it up with sum().
  virtual const StopFlag& stop() const = 0;

  // Which rank is gone and why, in words; nothing if none is known to be.
  virtual std::optional<std::string> lost() const = 0;
  // Whether this rank writes files: rank 0 or, where ranks are lost, the lowest that is left.
  virtual bool writes() const = 0;
  // This rank cannot continue: reports the reason to the others.
  virtual void fail(const std::string& why) = 0;
  // This rank ends at once on request, and so do the others.
  virtual void end() = 0;
  // After the last call: waits until no rank needs rank 0 any more.
  virtual void leave() = 0;
};

struct JoinOptions {
  std::string backend = "auto";  // auto, gloo, nccl
  // Name of the GPU that a rank with this place on its machine uses; empty: none.
  std::function<std::string(int local_rank)> gpu = {};
  double seconds = 300;  // to wait for the others
};

// Joins the others. RankLostError names ranks that do not arrive. ConfigError if this build has no process groups, or
// not the backend.
std::unique_ptr<Ranks> join(const RankPlace& place, const JoinOptions& options);

// Whether this build has process groups, and NCCL among them.
bool has_ranks();
bool has_nccl();

}  // namespace lgode::train
