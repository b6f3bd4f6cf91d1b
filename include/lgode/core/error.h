// The errors that the library throws. Each says what was expected, what came instead, and where; only the command
// catches them. Errors of the operators' callers are LibTorch's own (TORCH_CHECK_VALUE).
#pragma once

#include <stdexcept>
#include <string>

namespace lgode {

// What all of the project's errors have in common.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file or its content: absent, unreadable, truncated, foreign, contradictory. The message names the file.
class DataError : public Error {
 public:
  using Error::Error;
};

// An option, a config file or a combination of options that cannot be used. The message names the option.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// Work that ended early because it was asked to (StopFlag).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

// Work that cannot go on: a solver that does not reach its tolerance because the field is stiff, explodes or is not
// finite.
class NoProgressError : public Error {
 public:
  using Error::Error;
};

// A training whose loss or gradient is no longer finite.
class DivergedError : public NoProgressError {
 public:
  using NoProgressError::NoProgressError;
};

// A file or a run that exists and may not be replaced. The message names the path; the caller, who knows how replacing
// is allowed, adds that advice.
class ExistsError : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace lgode
