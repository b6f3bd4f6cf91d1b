// Tableaus of the explicit Runge-Kutta rules: y + h sum_i b_i k_i, k_i = f(t + c_i h, y + h sum_j a_ij k_j).
// Coefficients are exact rationals if the author gave them so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lgode::ode {

enum class Solver {
  kRk4,         // Kutta's 3/8 rule, called rk4 by the paper's solver
  kRk4Classic,  // the rule with weights 1/6 1/3 1/3 1/6
  kEuler,
  kMidpoint,
  kDopri5,  // Dormand and Prince 5(4), 1980
  kTsit5,   // Tsitouras 5(4), 2011
};

struct Tableau {
  std::string_view name;
  int order = 0;
  std::vector<double> c;               // [s] stage times
  std::vector<std::vector<double>> a;  // [s][i] strictly lower triangle
  std::vector<double> b;               // [s]
  std::vector<double> error;           // [s] b - b_embedded; empty without an embedded rule
  std::vector<double> mid;  // [s] y(t + h/2) = y + h sum mid_i k_i, to fourth order; empty: cubic Hermite is used
  int stages() const { return static_cast<int>(b.size()); }
  // The last stage is the first of the next step.
  bool first_same_as_last() const;
};

const Tableau& tableau(Solver solver);

// "rk4", "rk4-classic", "euler", "midpoint", "dopri5", "tsit5".
std::string_view solver_name(Solver solver);
bool is_adaptive(Solver solver);  // dopri5 and tsit5

}  // namespace lgode::ode
