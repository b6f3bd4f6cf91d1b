// The base path of an assimilating model: the classical method with the lowest error on the validation part, or the one
// that `base` names.
#pragma once

#include <vector>

#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/fit.h"
#include "lgode/data/split.h"
#include "lgode/model/shape.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

// Sets shape.base, with gains of the fitted noise where the model learns gains. `typical_gap`: of the training data,
// physical. Without a validation part, training systems (a sample of many) are compared.
BaseChoice choose_base(const RunConfig& config, const data::BatchMaker& maker, const data::Parts& parts,
                       const data::ClassicalFit& fit, double typical_gap, model::ModelShape& shape);

// The option's value of a base path; none: own.
model::Base base_option(const std::optional<data::BasePath>& base);

}  // namespace lgode::train
