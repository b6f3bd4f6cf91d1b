// The error of a file or folder that exists and may not be replaced.
#pragma once

#include "lgode/core/error.h"

namespace lgode {

// The message names the path. The caller, who knows how replacing is allowed, adds that advice.
class ExistsError : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace lgode
