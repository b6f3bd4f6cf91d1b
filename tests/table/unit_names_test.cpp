// Units in the names of columns, in files and in memory.
#include "lgode/table/unit_names.h"

#include <gtest/gtest.h>

#include <fstream>

#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;
using Words = std::vector<std::string>;

std::string split(std::string_view column) {
  const UnitName found = split_unit(column);
  return found.name + "|" + found.unit;
}

TEST(UnitNames, AreSplit) {
  for (const auto& [column, expected] :
       std::vector<std::pair<std::string, std::string>>{{"X(cm)", "x|cm"},
                                                        {"x (m)", "x|m"},
                                                        {"VX [m/s]", "vx|m/s"},
                                                        {"Speed (km/h)", "Speed|km/h"},
                                                        {"accel_[m s^-2]", "accel|m s^-2"},
                                                        {"a (m/s\xC2\xB2)", "a|m/s\xC2\xB2"},
                                                        {"angle (\xC2\xB0)", "angle|\xC2\xB0"},
                                                        {"x_mm", "x|mm"},
                                                        {"vx_m_s", "vx|m/s"},
                                                        {"turn_deg_per_s", "turn|deg/s"},
                                                        {"time (ms)", "time|ms"},
                                                        {"t_s", "t|s"}})
    EXPECT_EQ(split(column), expected) << column;
  for (const char* column : {"x", "X", "x(1)", "pos (left)", "f(x)", "(m)", "x()", "x(m", "is_s", "x_max", "m", "_m",
                             "cm", "a(m/)", "a(/s)", "x (m) old", ""})
    EXPECT_EQ(split(column), std::string(column) + "|") << column;
}

TEST(UnitNames, StayWholeWhereNamesWouldBeTheSame) {
  Words names;
  for (const UnitName& name : split_units({"x(cm)", "x(px)", "y(cm)", "Y", "y"})) names.push_back(name.name);
  EXPECT_EQ(names, (Words{"x(cm)", "x(px)", "y(cm)", "Y", "y"}));
}

class UnitImport : public ::testing::Test {
 protected:
  ImportOptions table(std::string_view text) const {
    ImportOptions options;
    std::ofstream(folder_ / "obs.csv", std::ios::binary) << text;
    options.observations = {folder_ / "obs.csv"};
    options.scratch_folder = folder_.path();
    return options;
  }
  data::Dataset import(const ImportOptions& options) {
    report_ = {};
    return import_csv(options, report_);
  }

  TempFolder folder_;
  ImportReport report_;
};

constexpr const char* kCentimetres =
    "object,time (ms),X(cm),Y (cm),VX[cm/s]\na,0,1,2,3\na,40,2,3,4\nb,0,5,5,5\nb,40,6,7,8\n";

TEST_F(UnitImport, BecomeUnitsOfFeaturesAndTimes) {
  ImportOptions options = table(kCentimetres);
  options.roles.velocity_of = {{"VX[cm/s]", "x"}};
  const data::Dataset d = import(options);
  const auto& features = d.description().features;
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0].name + features[1].name + features[2].name, "xyvx");
  EXPECT_EQ(features[0].unit, "cm");
  EXPECT_EQ(features[2].unit, "cm/s");
  EXPECT_EQ(features[2].velocity_of, 0);
  EXPECT_EQ(d.description().time_unit, "ms");
  EXPECT_EQ(d.description().columns, (Words{"", "object", "time"}));
  EXPECT_EQ(report_.units, (Words{"x in cm", "y in cm", "vx in cm/s"}));
}

TEST_F(UnitImport, OptionsGoFirst) {
  ImportOptions options = table(kCentimetres);
  options.roles.units = {{"x", "inch"}};
  options.roles.features = {"Y (cm)", "X"};
  options.roles.rate = 1000;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.description().features[0].name, "y");
  EXPECT_EQ(d.description().features[1].unit, "inch");
  EXPECT_EQ(d.description().time_unit, "s");
  options = table(kCentimetres);
  options.arrangement.window = Length{5.0, true, "5s"};
  expect_error<ConfigError>([&] { import(options); }, {"`window`", "'ms'"});
}

TEST_F(UnitImport, ATableLikeItMayHaveUnitsOrNot) {
  const data::Description description = import(table(kCentimetres)).description();
  for (const char* text : {kCentimetres, "object,time,x,y,vx\na,0,1,2,3\n", "time,VX,x(cm),y,object\n0,3,1,2,a\n"}) {
    ImportOptions options = table(text);
    const auto files = options.observations;
    options = table_import(description);
    options.observations = files;
    options.arrangement.split = 1.0;
    if (std::string_view(text).find("VX,") != std::string_view::npos) {
      expect_error<ConfigError>([&] { import(options); }, {"no column 'vx'", "expected the columns", "VX, x, y"});
      continue;
    }
    const data::Dataset d = import(options);
    EXPECT_EQ(d.description().features[2].name, "vx") << text;
    EXPECT_EQ(d.description().features[2].unit, "cm/s") << text;
    EXPECT_EQ(d.values_of(0)[2], 3) << text;
  }
}

TEST_F(UnitImport, InMemoryToo) {
  const double times[] = {0, 1}, values[] = {1, 2};
  const std::int32_t codes[] = {0, 0};
  const auto column = [](const double* data) {
    return NumberColumn{.data = reinterpret_cast<const std::byte*>(data), .stride = sizeof(double)};
  };
  MemoryTable memory;
  memory.columns = {"object", "Time (s)", "X(cm)"};
  memory.rows = 2;
  Roles roles;
  roles.time = "Time (s)";
  memory.roles = table_roles(roles, "the table", memory.columns);
  memory.object = {codes, {"a"}};
  memory.time.cells = column(times);
  memory.features = {column(values)};
  ImportOptions options;
  options.roles = roles;
  options.scratch_folder = folder_.path();
  const data::Dataset d = import_table(options, memory, nullptr, report_);
  EXPECT_EQ(d.description().features[0].name, "x");
  EXPECT_EQ(d.description().features[0].unit, "cm");
  EXPECT_EQ(d.description().time_unit, "s");
  roles.object_from = ObjectFrom::kFile;
  roles.object = "who";
  expect_error<ConfigError>([&] { table_roles(roles, "the table", memory.columns); }, {"`object_from` file"});
}

}  // namespace
}  // namespace lgode::table
