// The entry point that libFuzzer calls.
#include "lgode/core/error.h"
#include "target.h"

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    lgode::fuzz::run({reinterpret_cast<const char*>(data), size});
  } catch (const lgode::Error&) {
    // Refused, as it should be.
  }
  return 0;
}
