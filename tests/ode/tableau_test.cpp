// Checks the coefficients against the order conditions of Runge-Kutta methods, tree by tree.
#include "lgode/ode/tableau.h"

#include "ode/support.h"

namespace lgode::ode {
namespace {

using testing::kSolvers;
using Vector = std::vector<double>;

Vector times(const Vector& x, const Vector& y) {
  Vector product(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    product[i] = x[i] * y[i];
  }
  return product;
}

// One rooted tree: its weights per stage, 1/gamma, and its number of nodes.
struct Tree {
  Vector phi;
  double value;
  int order;
};

// All 17 trees of up to five nodes; Hairer, Norsett and Wanner (1993), II.2.
std::vector<Tree> trees(const Tableau& rule) {
  const Vector& c = rule.c;
  const auto a = [&](const Vector& x) {
    Vector sum(c.size(), 0);
    for (std::size_t i = 0; i < c.size(); ++i) {
      for (std::size_t j = 0; j < rule.a[i].size(); ++j) {
        sum[i] += rule.a[i][j] * x[j];
      }
    }
    return sum;
  };
  const Vector one(c.size(), 1), c2 = times(c, c), c3 = times(c2, c), ac = a(c), ac2 = a(c2);
  return {
      {one, 1., 1},
      {c, 1. / 2, 2},
      {c2, 1. / 3, 3},
      {ac, 1. / 6, 3},
      {c3, 1. / 4, 4},
      {times(c, ac), 1. / 8, 4},
      {ac2, 1. / 12, 4},
      {a(ac), 1. / 24, 4},
      {times(c2, c2), 1. / 5, 5},
      {times(c2, ac), 1. / 10, 5},
      {times(ac, ac), 1. / 20, 5},
      {times(c, ac2), 1. / 15, 5},
      {times(c, a(ac)), 1. / 30, 5},
      {a(c3), 1. / 20, 5},
      {a(times(c, ac)), 1. / 40, 5},
      {a(ac2), 1. / 60, 5},
      {a(a(ac)), 1. / 120, 5},
  };
}

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i] * y[i];
  }
  return sum;
}

// Largest violation among the trees of one order, for a solution at `theta` of the step.
double violation(const Tableau& rule, const Vector& weights, int order, double theta = 1) {
  double worst = 0;
  for (const Tree& tree : trees(rule)) {
    if (tree.order == order) {
      worst = std::max(worst, std::abs(dot(weights, tree.phi) - tree.value * std::pow(theta, order)));
    }
  }
  return worst;
}

constexpr double kRounding = 1e-13;

TEST(Tableau, HasTheShapeOfAnExplicitRule) {
  for (const Solver solver : kSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    ASSERT_EQ(rule.c.size(), rule.b.size());
    ASSERT_EQ(rule.a.size(), rule.b.size());
    for (std::size_t i = 0; i < rule.a.size(); ++i) {
      ASSERT_EQ(rule.a[i].size(), i);
      EXPECT_NEAR(dot(rule.a[i], Vector(i, 1)), rule.c[i], kRounding);
    }
    EXPECT_TRUE(rule.error.empty() || rule.error.size() == rule.b.size());
    EXPECT_TRUE(rule.mid.empty() || rule.mid.size() == rule.b.size());
  }
}

TEST(Tableau, MeetsTheConditionsOfItsOrderAndNoMore) {
  for (const Solver solver : kSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    for (int order = 1; order <= rule.order; ++order) {
      EXPECT_LT(violation(rule, rule.b, order), kRounding) << "order " << order;
    }
    if (rule.order < 5) {
      EXPECT_GT(violation(rule, rule.b, rule.order + 1), 1e-3);
    }
  }
}

TEST(Tableau, EmbeddedRuleIsOneOrderLower) {
  for (const Solver solver : testing::kAdaptiveSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    Vector embedded = rule.b;
    for (std::size_t i = 0; i < embedded.size(); ++i) {
      embedded[i] -= rule.error[i];
    }
    for (int order = 1; order < rule.order; ++order) {
      EXPECT_LT(violation(rule, embedded, order), kRounding) << "order " << order;
    }
    EXPECT_GT(violation(rule, embedded, rule.order), 1e-5);
  }
}

TEST(Tableau, MidIsOfFourthOrderHalfWay) {
  for (const Solver solver : testing::kAdaptiveSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    for (int order = 1; order <= 4; ++order) {
      EXPECT_LT(violation(rule, rule.mid, order, 0.5), kRounding) << "order " << order;
    }
  }
}

TEST(Tableau, NamesAndKinds) {
  EXPECT_EQ(solver_name(Solver::kRk4), "rk4");
  EXPECT_EQ(solver_name(Solver::kRk4Classic), "rk4-classic");
  EXPECT_EQ(solver_name(Solver::kEuler), "euler");
  EXPECT_EQ(solver_name(Solver::kMidpoint), "midpoint");
  EXPECT_EQ(solver_name(Solver::kDopri5), "dopri5");
  EXPECT_EQ(solver_name(Solver::kTsit5), "tsit5");
  for (const Solver solver : kSolvers) {
    const bool embedded = solver == Solver::kDopri5 || solver == Solver::kTsit5;
    EXPECT_EQ(is_adaptive(solver), embedded);
    EXPECT_EQ(tableau(solver).first_same_as_last(), embedded);
  }
}

}  // namespace
}  // namespace lgode::ode
