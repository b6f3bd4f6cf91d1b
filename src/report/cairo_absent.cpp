// For builds without Cairo.
#include "lgode/core/error.h"
#include "lgode/report/cairo.h"

namespace lgode::report {
namespace {

[[noreturn]] void refuse() {
  throw ConfigError(
      "this lgode was built without Cairo, so it writes SVG figures only; install libcairo2-dev and build again, or "
      "name a file that ends in .svg");
}

}  // namespace

bool has_cairo() { return false; }
std::string png(const Drawing& /*drawing*/, double /*scale*/) { refuse(); }
std::string pdf(const Drawing& /*drawing*/, const std::string& /*title*/) { refuse(); }

}  // namespace lgode::report
