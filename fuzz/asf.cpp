// Fuzzes ASF files: skeletons.
#include "lgode/data/motion/skeleton.h"
#include "target.h"

void lgode::fuzz::run(std::string_view input) { data::parse_asf(input, "fuzz.asf"); }
