// The function that every fuzz target defines. It reads bytes and may refuse them with one of the project's errors, and
// with nothing else. libFuzzer (scripts/fuzz.sh) and, in the ordinary tests, replay.cpp call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lgode::fuzz {

// Reads `input`; may throw lgode::Error.
void run(std::string_view input);

}  // namespace lgode::fuzz

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
