// Names of a prediction's columns.
#include "lgode/eval/prediction.h"

#include <fmt/format.h>

namespace lgode::eval {

std::string quantile_name(double q) {
  const double percent = 100 * q;
  return fmt::format("q{}{:.6g}", percent < 10 ? "0" : "", percent);
}

}  // namespace lgode::eval
