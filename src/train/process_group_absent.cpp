// Without process groups in LibTorch, or without their headers: every process trains alone.
#include "lgode/core/error.h"
#include "lgode/train/ranks.h"

namespace lgode::train {

bool has_ranks() { return false; }
bool has_nccl() { return false; }

std::unique_ptr<Ranks> join(const RankPlace& place, const JoinOptions& /*options*/) {
  throw ConfigError(place.launcher + " started " + std::to_string(place.size) +
                    " processes, but this build has no process groups: build it with a LibTorch that has Gloo; `ranks` "
                    "off trains alone");
}

}  // namespace lgode::train
