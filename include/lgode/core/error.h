// The errors that the library throws. Each message says what was expected, what was found instead, and where. Only the
// command catches them. Invalid arguments of operators raise LibTorch's own errors (TORCH_CHECK_VALUE).
#pragma once

#include <stdexcept>
#include <string>

namespace lgode {

// Base class of the project's errors.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file that is absent, unreadable, truncated, of another format or contradictory. The message names the file.
class DataError : public Error {
 public:
  using Error::Error;
};

// An option, a config file or a combination of options that cannot be used. The message names the option.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// Work that ended early on request (StopFlag).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

// Work that cannot continue: a solver that does not reach its tolerance because the field is stiff, diverges or is not
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

// A file or a run that exists and may not be replaced. The message names the path; the caller adds how to allow it.
class ExistsError : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace lgode
