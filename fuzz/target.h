// What every fuzz target is: a function of bytes that may refuse them with one of the project's errors and nothing
// else. libFuzzer calls it (scripts/fuzz.sh), and so does replay.cpp in the ordinary tests.
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
