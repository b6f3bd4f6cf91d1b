// Which rows of a batch `model` frames reads: those of each object at most the memory before its last one, and none of
// an object that has left (docs/frames.md). Whoever keeps these rows can make every forecast. No tensors here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "lgode/data/batch.h"

namespace lgode::model {

// The first of an object's rows that counts, whatever comes after them. `times`: model times, ascending, not empty.
std::size_t first_counting_row(std::span<const double> times, double memory);

// The batch without the rows that do not count. Unset: all count.
std::optional<data::Batch> with_counting_rows(const data::Batch& batch, double memory);

}  // namespace lgode::model
