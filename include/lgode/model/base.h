// The option `base` and the classical methods (core/methods.h): a choice follows from every entry of their list.
#pragma once

#include <optional>

#include "lgode/core/methods.h"
#include "lgode/model/options.h"

namespace lgode::model {

// Nothing for kAuto and kOwn.
constexpr std::optional<Classical> classical_of(Base base) {
  if (base == Base::kAuto || base == Base::kOwn) return {};
  return static_cast<Classical>(static_cast<int>(base) - static_cast<int>(Base::kLinear));
}
constexpr Base base_of(Classical kind) {
  return static_cast<Base>(static_cast<int>(kind) + static_cast<int>(Base::kLinear));
}
static_assert(base_of(Classical::kKalman) == Base::kKalman, "the classical methods in their order");

}  // namespace lgode::model
