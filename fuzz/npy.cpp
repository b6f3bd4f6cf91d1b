// Fuzzes .npy files, including pickles.
#include "lgode/data/npy/npy.h"

#include "target.h"

void lgode::fuzz::run(std::string_view input) { data::parse_npy(std::as_bytes(std::span(input)), "fuzz.npy"); }
