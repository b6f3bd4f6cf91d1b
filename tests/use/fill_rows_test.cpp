// Filled rows as arrays have the numbers of the filled CSV file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "lgode/table/import.h"
#include "lgode/use/fill.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::use {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Two systems of two objects over two ranges, in columns; x and y lack some values, and one row is absent.
struct Columns {
  std::vector<std::int32_t> system, object;
  std::vector<double> time, x, y;

  Columns() {
    for (int s = 0; s < 2; ++s)
      for (int o = 0; o < 2; ++o)
        for (int k = 0; k < 16; ++k) {
          if (s == 1 && o == 1 && k == 7) continue;
          system.push_back(s), object.push_back(o);
          time.push_back(0.25 * k);
          x.push_back((k + o) % 5 == 2 ? kNone : 3 * std::sin(time.back() + o) + s);
          y.push_back((k + s) % 7 == 3 ? kNone : std::cos(2 * time.back() - o));
        }
  }

  table::MemoryTable memory() const {
    const auto numbers = [](const std::vector<double>& values) {
      return table::NumberColumn{table::NumberColumn::Type::kFloat64, reinterpret_cast<const std::byte*>(values.data()),
                                 sizeof(double)};
    };
    table::MemoryTable out;
    out.columns = {"system", "object", "time", "x", "y"};
    out.rows = static_cast<std::int64_t>(time.size());
    out.roles = {.system = {0}, .object = 1, .time = 2, .features = {3, 4}};
    out.system = {{system.data(), {"s0", "s1"}}};
    out.object = {object.data(), {"p", "q"}};
    out.time.cells = numbers(time);
    out.features = {numbers(x), numbers(y)};
    return out;
  }

  std::string csv() const {
    const auto cell = [](double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); };
    std::string text = "system,object,time,x,y\n";
    for (std::size_t i = 0; i < time.size(); ++i)
      text += fmt::format("s{},{},{},{},{}\n", system[i], object[i] == 0 ? "p" : "q", time[i], cell(x[i]), cell(y[i]));
    return text;
  }
};

class FillRows : public ::testing::Test {
 protected:
  FillRows() {
    std::ofstream(folder_ / "obs.csv") << columns_.csv();
    table::ImportOptions import;
    import.observations = {folder_ / "obs.csv"};
    import.roles.features = {"x", "y"};
    import.arrangement.window = Length{2.0};
    import.scratch_folder = folder_.path();
    table::ImportReport report;
    set_ = table::import_csv(import, report);
    options_.predict.samples = 0;
    for (std::int64_t s = 0; s < set_->systems(); ++s) options_.predict.systems.push_back(s);
  }

  // Rows of the file, as fields.
  std::vector<std::vector<std::string>> file(const eval::Run& run, const std::filesystem::path& table) {
    FillOptions options;
    static_cast<eval::FillOptions&>(options) = options_;
    options.table = table;
    options.scratch_folder = folder_.path();
    write_filled(folder_ / "filled.csv", Overwrite::kAllow, run, *set_, options);
    std::ifstream in(folder_ / "filled.csv");
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
      rows.emplace_back();
      std::istringstream fields(line + ",");
      for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
    }
    rows.erase(rows.begin());
    return rows;
  }

  Columns columns_;
  lgode::testing::TempFolder folder_;
  std::optional<data::Dataset> set_;
  eval::FillOptions options_;
};

TEST_F(FillRows, OfATableInMemory) {
  options_.all_times = true;
  const eval::Run run = lgode::testing::run_on(*set_);
  const auto expected = file(run, folder_ / "obs.csv");
  const FilledRows rows = fill_rows(run, *set_, columns_.memory(), options_, false);
  ASSERT_EQ(rows.imputed.size(), columns_.time.size());
  ASSERT_EQ(rows.added.times.size(), 1U);
  ASSERT_EQ(expected.size(), rows.imputed.size() + 1);
  int filled = 0;
  for (std::size_t i = 0; i < rows.imputed.size(); ++i) {
    EXPECT_EQ(rows.imputed[i], expected[i][5]);
    for (std::size_t f = 0; f < 2; ++f) {
      const bool missing = std::isnan((f == 0 ? columns_.x : columns_.y)[i]);
      ASSERT_EQ(std::isnan(rows.values[2 * i + f]), !missing);
      if (!missing) continue;
      EXPECT_EQ(rows.values[2 * i + f], std::stod(expected[i][3 + f]));
      ++filled;
    }
  }
  EXPECT_EQ(rows.filled.values, filled + 2);
  const auto at = [&](std::int64_t row) { return static_cast<std::size_t>(row); };
  EXPECT_EQ(rows.added.times[0], "1.75");
  EXPECT_EQ(columns_.system[at(rows.added.like_system[0])], 1);
  EXPECT_EQ(columns_.object[at(rows.added.like_object[0])], 1);
  EXPECT_EQ(rows.added.imputed[0], "x y");
  for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(rows.added.values[f], std::stod(expected.back()[3 + f]));
}

TEST_F(FillRows, OfADataSet) {
  const eval::Run run = lgode::testing::run_on(*set_);
  const auto expected = file(run, {});
  const FilledRows rows = fill_rows(run, *set_, options_, false);
  ASSERT_EQ(rows.imputed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((std::vector<std::string>{rows.systems[i], rows.objects[i], rows.times[i]}),
              (std::vector<std::string>{expected[i][0], expected[i][1], expected[i][2]}));
    for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(rows.values[2 * i + f], std::stod(expected[i][3 + f]));
    EXPECT_EQ(rows.imputed[i], expected[i][5]);
  }
}

}  // namespace
}  // namespace lgode::use
