// The place of this process among all that train together, as a launcher describes it in the environment: torchrun,
// srun, `lgode launch`, or anything that sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT. No LibTorch here.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lgode/core/error.h"

namespace lgode::train {

// A process that trains together with this one is gone, failed, or did not arrive. The message names it.
class RankLostError : public Error {
 public:
  using Error::Error;
};

struct RankPlace {
  int rank = 0, size = 1;
  std::optional<int> local_rank = {};  // among the processes of its machine; unset: determined on joining
  std::string address;                 // where rank 0 (or torchrun) answers
  int port = 0;                        // 0: rank 0 takes a free one and writes it to `port_file`
  std::string port_file;
  bool has_server = false;  // the launcher answers at address and port; else rank 0 does
  std::string prefix;       // of the keys that are exchanged there
  std::string launcher;     // in words
};

// The value of a variable; nullptr if it is not set.
using Environment = std::function<const char*(const char* name)>;
const char* process_environment(const char* name);

// `ranks`: "auto" joins others if the environment describes them, "off" never does, a number must be what the
// environment says. Unset: this process trains alone. ConfigError if variables are absent, contradict each other or
// the number.
std::optional<RankPlace> find_place(const std::string& ranks, const Environment& environment = process_environment);

// ConfigError unless `ranks` is auto, off or a whole number from 1 up.
void check_ranks(const std::string& ranks);

// The first host of SLURM's short form: "node[03-05,9],other" is node03. Empty if it cannot be read.
std::string first_host(const std::string& list);

// The variables that `lgode launch` sets in addition to RANK, WORLD_SIZE and LOCAL_RANK.
inline constexpr const char* kPortFile = "LGODE_PORT_FILE";

}  // namespace lgode::train
