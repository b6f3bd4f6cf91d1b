// Hashes as text.
#include "lgode/core/hash.h"

#include <fmt/format.h>

namespace lgode {

std::string Hash::text() const { return fmt::format("{:016x}", value_); }

}  // namespace lgode
