// What a run is, as the first keys of every JSON about it.
#pragma once

#include <nlohmann/json.hpp>

#include "lgode/eval/run_info.h"
#include "task_names.h"

namespace lgode::app {

// Adds task, observed, model, variant, protocol and seed.
inline void add_run_head(nlohmann::ordered_json& into, const eval::RunInfo& info) {
  into["task"] = task_name(info.task.task);
  into["observed"] = info.task.observed;
  into["model"] = model::model_name(info.model.kind);
  into["variant"] = model::variant_name(info.model.variant);
  into["protocol"] = protocol_name(info.task.protocol);
  into["seed"] = info.task.seed;
}

}  // namespace lgode::app
