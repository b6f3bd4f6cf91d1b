// The paper's two tables: their rows, their columns and all of their 180 numbers; and one row of our own.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace lgode::reproduce {

inline constexpr std::array<std::string_view, 2> kTasks = {"interpolate", "extrapolate"};  // as `lgode train` says it
inline constexpr std::array<std::string_view, 2> kTables = {"interpolation", "extrapolation"};  // the same, as nouns
inline constexpr std::array<std::string_view, 3> kDatasets = {"springs", "charged", "motion"};
inline constexpr std::array<int, 3> kObserved = {40, 60, 80};  // per cent

struct PaperRow {
  std::string_view name;   // on the command line
  std::string_view shown;  // in tables
  std::string_view model;  // options of `lgode train`
  std::string_view variant;
};

// In the order of the paper; the last one is not in it.
inline constexpr std::array<PaperRow, 11> kRows = {{
    {"latent-ode", "Latent-ODE", "latent-ode", "full"},
    {"weight-decay", "Weight-Decay", "weight-decay", "full"},
    {"edge-gnn", "Edge-GNN", "edge-gnn", "full"},
    {"rnn-nri", "NRI + RNN", "rnn-nri", "full"},
    {"lg-ode", "LG-ODE", "lg-ode", "full"},
    {"first", "LG-ODE-first", "lg-ode", "first"},
    {"mean", "LG-ODE-mean", "lg-ode", "mean"},
    {"no-att", "LG-ODE-no att", "lg-ode", "no-att"},
    {"no-pe", "LG-ODE-no PE", "lg-ode", "no-pe"},
    {"fixed-pe", "LG-ODE-fixed PE", "lg-ode", "fixed-pe"},
    {"ours", "ours (assimilate)", "assimilate", "full"},
}};

// nullptr if there is no such row.
const PaperRow* find_row(std::string_view name);
const PaperRow* find_row(std::string_view model, std::string_view variant);

// The paper's mean squared error x 10^-2; unset if it has no such cell. `observed` is in per cent.
std::optional<double> paper_error(std::string_view task, std::string_view dataset, int observed, std::string_view row);

}  // namespace lgode::reproduce
