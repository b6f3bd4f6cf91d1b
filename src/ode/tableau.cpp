// The coefficients of the Runge-Kutta rules, each from its author's table. The step itself is in step.h and solve.cpp.
#include "lgode/ode/tableau.h"

#include <stdexcept>

namespace lgode::ode {
namespace {

// Kutta (1901), the 3/8 rule.
const Tableau& three_eighths() {
  static const Tableau rule{
      .name = "rk4",
      .order = 4,
      .c = {0, 1. / 3, 2. / 3, 1},
      .a = {{}, {1. / 3}, {-1. / 3, 1}, {1, -1, 1}},
      .b = {1. / 8, 3. / 8, 3. / 8, 1. / 8},
      .error = {},
      .mid = {},
  };
  return rule;
}

const Tableau& classic() {
  static const Tableau rule{
      .name = "rk4-classic",
      .order = 4,
      .c = {0, 1. / 2, 1. / 2, 1},
      .a = {{}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}},
      .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6},
      .error = {},
      .mid = {},
  };
  return rule;
}

const Tableau& euler() {
  static const Tableau rule{.name = "euler", .order = 1, .c = {0}, .a = {{}}, .b = {1}, .error = {}, .mid = {}};
  return rule;
}

const Tableau& midpoint() {
  static const Tableau rule{
      .name = "midpoint",
      .order = 2,
      .c = {0, 1. / 2},
      .a = {{}, {1. / 2}},
      .b = {0, 1},
      .error = {},
      .mid = {},
  };
  return rule;
}

// Dormand and Prince (1980), RK5(4)7M; the state half-way is Shampine's (1986), Math. Comp. 46, p. 149.
const Tableau& dormand_prince() {
  static const Tableau rule{
      .name = "dopri5",
      .order = 5,
      .c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
      .a = {{},
            {1. / 5},
            {3. / 40, 9. / 40},
            {44. / 45, -56. / 15, 32. / 9},
            {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
            {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
            {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
      .b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0},
      // b - (5179/57600, 0, 7571/16695, 393/640, -92097/339200, 187/2100, 1/40)
      .error = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
      .mid = {6025192743. / 30085553152. / 2, 0, 51252292925. / 65400821598. / 2, -2691868925. / 45128329728. / 2,
              187940372067. / 1594534317056. / 2, -1776094331. / 19743644256. / 2, 11237099. / 235043384. / 2},
  };
  return rule;
}

// One weight of Tsitouras' interpolant, r1 x + r2 x^2 + r3 x^3 + r4 x^4, half-way through the step.
constexpr double half_way(double r1, double r2, double r3, double r4) { return r1 / 2 + r2 / 4 + r3 / 8 + r4 / 16; }

// Tsitouras (2011), Comput. Math. Appl. 62, 770-775. The paper prints the last error weight without its minus sign.
const Tableau& tsitouras() {
  static const Tableau rule{
      .name = "tsit5",
      .order = 5,
      .c = {0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1},
      .a = {{},
            {0.161},
            {-0.008480655492356989, 0.335480655492357},
            {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
            {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
            {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383},
            {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774}},
      .b = {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774, 0},
      .error = {0.00178001105222577714, 0.0008164344596567469, -0.007880878010261995, 0.1447110071732629,
                -0.5823571654525552, 0.45808210592918697, -1. / 66},
      .mid = {half_way(1, -2.763706197274826, 2.9132554618219126, -1.0530884977290216),
              half_way(0, 0.1317, -0.2234, 0.1017),
              half_way(0, 3.9302962368947516, -5.941033872131505, 2.490627285651253),
              half_way(0, -12.411077166933676, 30.33818863028232, -16.548102889244902),
              half_way(0, 37.50931341651104, -88.1789048947664, 47.37952196281928),
              half_way(0, -27.896526289197286, 65.09189467479366, -34.87065786149661), half_way(0, 1.5, -4, 2.5)},
  };
  return rule;
}

}  // namespace

bool Tableau::first_same_as_last() const {
  if (stages() < 2 || c.back() != 1 || b.back() != 0) {
    return false;
  }
  for (std::size_t i = 0; i < a.back().size(); ++i) {
    if (a.back()[i] != b[i]) {
      return false;
    }
  }
  return true;
}

const Tableau& tableau(Solver solver) {
  switch (solver) {
    case Solver::kRk4:
      return three_eighths();
    case Solver::kRk4Classic:
      return classic();
    case Solver::kEuler:
      return euler();
    case Solver::kMidpoint:
      return midpoint();
    case Solver::kDopri5:
      return dormand_prince();
    case Solver::kTsit5:
      return tsitouras();
  }
  throw std::invalid_argument("tableau: not one of the solvers");
}

std::string_view solver_name(Solver solver) { return tableau(solver).name; }

bool is_adaptive(Solver solver) { return !tableau(solver).error.empty(); }

}  // namespace lgode::ode
