// The paper's numbers: all of them are there, and their sums equal those in the paper's tables.
#include "lgode/reproduce/paper_tables.h"

#include <gtest/gtest.h>

#include <set>

namespace lgode::reproduce {
namespace {

double number(std::string_view task, std::string_view dataset, int observed, std::string_view row) {
  const auto found = paper_error(task, dataset, observed, row);
  EXPECT_TRUE(found) << task << dataset << observed << row;
  return found.value_or(0.0);
}

TEST(PaperTables, SpotChecks) {
  EXPECT_EQ(number("interpolate", "springs", 40, "lg-ode"), 0.3350);
  EXPECT_EQ(number("interpolate", "motion", 80, "latent-ode"), 0.3603);
  EXPECT_EQ(number("interpolate", "charged", 60, "first"), 2.6714);
  EXPECT_EQ(number("extrapolate", "charged", 80, "latent-ode"), 20.5501);
  EXPECT_EQ(number("extrapolate", "motion", 40, "weight-decay"), 16.8031);
  EXPECT_EQ(number("extrapolate", "springs", 60, "fixed-pe"), 1.7634);
}

// Sums worked out from the text of the paper's two tables.
TEST(PaperTables, SumsOfRowsAndColumns) {
  constexpr double kRowSums[2][10] = {
      {6.2247, 16.1508, 14.9914, 6.5182, 4.5517, 15.1471, 5.9292, 6.3921, 5.7293, 5.4849},
      {70.1657, 89.0868, 78.5129, 37.6090, 28.2456, 55.9141, 36.8488, 38.4895, 29.6548, 28.4986}};
  constexpr double kColumnSums[2][9] = {
      {6.9807, 6.5158, 6.1420, 14.5171, 13.5691, 11.4770, 10.1948, 9.5409, 8.1820},
      {38.1312, 33.2631, 30.6689, 85.2412, 82.9962, 87.9520, 48.9652, 45.1536, 40.6544}};
  int count = 0;
  for (std::size_t t = 0; t < 2; ++t) {
    double rows[10] = {}, columns[9] = {};
    for (std::size_t r = 0; r < 10; ++r)
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t o = 0; o < 3; ++o) {
          const double x = number(kTasks[t], kDatasets[d], kObserved[o], kRows[r].name);
          EXPECT_GT(x, 0.0);
          rows[r] += x, columns[3 * d + o] += x, ++count;
        }
    for (std::size_t r = 0; r < 10; ++r) EXPECT_NEAR(rows[r], kRowSums[t][r], 1e-9) << kRows[r].name;
    for (std::size_t c = 0; c < 9; ++c) EXPECT_NEAR(columns[c], kColumnSums[t][c], 1e-9) << c;
  }
  EXPECT_EQ(count, 180);
}

TEST(PaperTables, NothingForWhatThePaperLacks) {
  EXPECT_FALSE(paper_error("interpolate", "springs", 50, "lg-ode"));
  EXPECT_FALSE(paper_error("interpolate", "planets", 60, "lg-ode"));
  EXPECT_FALSE(paper_error("guess", "springs", 60, "lg-ode"));
  EXPECT_FALSE(paper_error("interpolate", "springs", 60, "transformer"));
  EXPECT_FALSE(paper_error("interpolate", "springs", 60, "ours"));
}

TEST(PaperTables, RowsAreFoundByNameAndByOptions) {
  std::set<std::string_view> names;
  for (const PaperRow& row : kRows) {
    names.insert(row.name);
    EXPECT_EQ(find_row(row.name), &row);
    EXPECT_EQ(find_row(row.model, row.variant), &row);
  }
  EXPECT_EQ(names.size(), 11U);
  EXPECT_EQ(find_row("lg-ode", "mean")->name, "mean");
  EXPECT_EQ(find_row("rnn-nri", "mean"), nullptr);
}

}  // namespace
}  // namespace lgode::reproduce
