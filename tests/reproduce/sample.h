// Result records for tests.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "lgode/core/file.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/reproduce/plan.h"

namespace lgode::reproduce {

// The part of an `lgode evaluate --record` file that is read again.
inline nlohmann::json sample(const Cell& cell, double mse) {
  const PaperRow* row = find_row(cell.row);
  return {{"dataset", cell.dataset},
          {"task", cell.task},
          {"observed", cell.observed / 100.0},
          {"model", row->model},
          {"variant", row->variant},
          {"protocol", cell.protocol},
          {"seed", cell.seed},
          {"epochs", 3},
          {"train_systems", 90},
          {"test_systems", 25},
          {"validation_mse", mse},
          {"test_mse", mse},
          {"test_mse_unseen", 2 * mse},
          {"classical",
           {{"linear", {{"mse", 0.01}, {"mse_unseen", 0.02}}},
            {"cubic_hermite", {{"mse", 0.03}, {"mse_unseen", nullptr}}},
            {"hold", {{"mse", 0.05}, {"mse_unseen", 0.06}}},
            {"constant_velocity", {{"mse", 0.07}, {"mse_unseen", 0.08}}}}},
          {"epoch_s", 2.0},
          {"device", "a machine"},
          {"commit", "0123456789ab"},
          {"config", {{"lr", 0.001}, {"seed", cell.seed}, {"threads", 2}, {"data", "x.safetensors"}}}};
}

inline void write_sample(const std::filesystem::path& path, const nlohmann::json& record) {
  write_file(path, Overwrite::kAllow, record.dump());
}

}  // namespace lgode::reproduce
