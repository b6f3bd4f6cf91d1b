// Names of a prediction's columns.
#include "lgode/eval/prediction.h"

#include <fmt/format.h>

namespace lgode::eval {

std::optional<Classical> classical_of(Method method) {
  if (method == Method::kModel || method == Method::kAuto) return {};
  return static_cast<Classical>(static_cast<int>(method) - static_cast<int>(Method::kLinear));
}

Method method_of(Classical kind) {
  return static_cast<Method>(static_cast<int>(kind) + static_cast<int>(Method::kLinear));
}
static_assert(static_cast<int>(Method::kKalman) - static_cast<int>(Method::kLinear) ==
                  static_cast<int>(Classical::kKalman),
              "the classical methods in their order");

std::string quantile_name(double q) {
  const double percent = 100 * q;
  return fmt::format("q{}{:.6g}", percent < 10 ? "0" : "", percent);
}

}  // namespace lgode::eval
