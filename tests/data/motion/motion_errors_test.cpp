// What the readers of skeletons and motion refuse: each error names file, line, value and what was expected.
#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "lgode/data/motion/skeleton.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::expect_error;
using lgode::testing::fixture_text;
using lgode::testing::replaced;

void refuse_asf(const std::string& text, const std::vector<std::string>& parts) {
  expect_error<DataError>([&] { parse_asf(text, "arm.asf"); }, parts);
}

// The good skeleton with one thing changed.
void refuse_asf(const std::string& what, const std::string& with, const std::vector<std::string>& parts) {
  refuse_asf(replaced(fixture_text("motion/arm.asf"), what, with), parts);
}

void refuse_amc(const std::string& text, const std::vector<std::string>& parts) {
  const Skeleton skeleton = parse_asf(fixture_text("motion/arm.asf"), "arm.asf");
  expect_error<DataError>([&] { parse_amc(text, "arm.amc", skeleton); }, parts);
}

void refuse_amc(const std::string& what, const std::string& with, const std::vector<std::string>& parts) {
  refuse_amc(replaced(fixture_text("motion/arm.amc"), what, with), parts);
}

TEST(AsfErrors, Encodings) {
  refuse_asf(std::string("\xFF\xFE:\0v\0", 6), {"arm.asf: is UTF-16", "save it as ASCII or UTF-8"});
  refuse_asf("name upper", "name \xC3\xA4rm", {"arm.asf, line 18", "byte 0xC3", "ASCII"});
  refuse_asf("name upper", std::string("name up\0per", 11), {"line 18", "byte 0x00"});
  refuse_asf(std::string("\x1F\x8B\x08\x00", 4), {"line 1", "byte 0x1F", "unpacked"});
  // Comments may hold anything.
  EXPECT_NO_THROW(
      parse_asf(replaced(fixture_text("motion/arm.asf"), "name upper", "name upper # \xC3\xA4rm"), "arm.asf"));
}

TEST(AsfErrors, Structure) {
  refuse_asf("", {"arm.asf, line 1", "no content"});
  refuse_asf("# nothing\n", {"no content"});
  refuse_asf("version 1.10\n", {"line 1", "'version'", "outside any section"});
  refuse_asf(":name arm", ":nmae arm", {"arm.asf, line 3", "':nmae'", "unknown", "did you mean ':name'?"});
  refuse_asf(":name arm", ":version 1.10", {"line 3", "comes twice", "first in line 2"});
  const std::string text = fixture_text("motion/arm.asf");
  refuse_asf(text.substr(0, text.find("limits (-10")), {"line 27", "this bone has no end", "cut off"});
  refuse_asf(text.substr(0, text.find(":hierarchy")), {"no :hierarchy section"});
  refuse_asf(text.substr(0, text.rfind("end")), {":hierarchy has no end", "cut off"});
  refuse_asf("order TX TY TZ RX RY RZ", "axis XYZ", {":root has no order", "TX TY TZ RX RY RZ"});
}

TEST(AsfErrors, Units) {
  refuse_asf("length 0.5", "length zero", {"line 6", "'zero' is not a number"});
  refuse_asf("length 0.5", "length -0.5", {"line 6", "-0.5", "positive"});
  refuse_asf("angle deg", "angle grad", {"line 7", "'grad'", "deg or rad"});
  refuse_asf("mass 1.0", "weight 1.0", {"line 5", "'weight'", "mass, length or angle"});
}

TEST(AsfErrors, Bones) {
  refuse_asf("length 2\n", "length 2,5\n", {"line 20", "'length' has 2 words after it", "one number"});
  refuse_asf("length 2\n", "length nan\n", {"line 20", "'nan' is not a number", "a length"});
  refuse_asf("length 2\n", "length 1e999\n", {"line 20", "'1e999' is not a number"});
  refuse_asf("length 2\n", "length -2\n", {"line 20", "-2", "0 or more"});
  refuse_asf("length 2\n", "", {"line 16", "no length"});
  refuse_asf("name lower", "name upper", {"line 29", "'upper' comes twice"});
  refuse_asf("name lower", "name root", {"line 29", "'root' comes twice"});
  refuse_asf("direction 0 1 0", "direction 0 1", {"line 30", "three numbers"});
  refuse_asf("direction 0 1 0", "direction 0 1 0 0", {"line 30", "4 words", "three numbers"});
  refuse_asf("direction 0 1 0", "direction 0 3 0", {"line 27", "'lower'", "length 3", "expected 1"});
  refuse_asf("axis 0 0 90 XYZ", "axis 0 0 90", {"line 32", "order of axes"});
  refuse_asf("axis 0 0 90 XYZ", "axis 0 0 90 XYY", {"line 32", "'xyy'", "XYZ"});
  refuse_asf("dof rx ry rz", "dof rx ry rw", {"line 22", "'rw'", "expected tx, ty, tz, rx, ry or rz"});
  refuse_asf("dof rx ry rz", "dof rx ry rx", {"line 22", "'rx' comes twice"});
  refuse_asf("dof rx ry rz", "dof rx ry l", {"line 22", "'l'", "change their length"});
  refuse_asf("(-10.0 170.0)", "(-10.0)", {"line 27", "'lower' has 1 limits", "1 degrees of freedom"});
  refuse_asf("(-10.0 170.0)", "(-10.0 170.0) (1 2)", {"'lower' has 4 limits"});
  refuse_asf("(-10.0 170.0)", "(170.0 -10.0)", {"'lower'", "170 to -10", "lower one first"});
  refuse_asf("(-10.0 170.0)", "(-10.0 many)", {"line 34", "'many' is not a number"});
  refuse_asf("dof rx ry rz", "fod rx ry rz", {"line 22", "'fod'", "did you mean 'dof'?"});
  refuse_asf("length 2\n", "length 2\n     length 2\n", {"line 21", "'length' comes twice"});
}

TEST(AsfErrors, Hierarchy) {
  refuse_asf("root upper", "root uper", {"line 45", "'uper'", "3 of :bonedata", "did you mean 'upper'?"});
  refuse_asf("    lower tip\n", "", {"line 36", "'tip' has no parent in :hierarchy"});
  refuse_asf("upper lower", "upper lower tip", {"line 47", "'tip' has a second parent", "line 46"});
  refuse_asf("root upper", "tip upper", {"'upper' is not connected to the root", "cycle"});
  refuse_asf("lower tip", "lower tip root", {"line 47", "root is a child of another bone"});
}

TEST(AmcErrors, CutOff) {
  refuse_amc("", {"arm.amc, line 0", "no frames", "cut off"});
  const std::string text = fixture_text("motion/arm.amc");
  refuse_amc(text.substr(0, text.find("1\n")), {"no frames"});
  // Within the last frame: before a bone, within a bone's values, within the first bone.
  refuse_amc(text.substr(0, text.rfind("lower")), {"arm.amc, line 22", "within frame 5", "'lower'", "cut off"});
  refuse_amc(text.substr(0, text.rfind("upper") + 9), {"line 22", "'upper' has 2 values in frame 5", "3 (rx ry rz)"});
  refuse_amc(text.substr(0, text.rfind("root") + 2), {"line 21", "'ro'"});
  refuse_amc(text.substr(0, text.rfind("5\n") + 2), {"within frame 5", "'root'"});
}

TEST(AmcErrors, Frames) {
  refuse_amc("\n3\n", "\n4\n", {"arm.amc, line 12", "frame 4 comes after 2", "expected 3"});
  refuse_amc("\n3\n", "\n2\n", {"line 12", "frame 2 comes after 2", "expected 3"});
  refuse_amc("\n3\n", "\n2.5\n", {"line 12", "'2.5' is not a whole number"});
  refuse_amc("\n1\n", "\n-1\n", {"line 4", "-1", "0 or more"});
  refuse_amc("\n1\n", "\n", {"line 4", "'root' is before the first frame"});
  refuse_amc("\n3\n", "\n:DEGREES\n3\n", {"line 12", "':degrees'", "before them"});
  refuse_amc(":DEGREES", ":GRADS", {"line 3", "':grads'", ":DEGREES or :RADIANS"});
}

TEST(AmcErrors, Bones) {
  refuse_amc("upper 0 0 90\n", "", {"line 8", "frame 2 lacks bone 'upper'"});
  refuse_amc("upper 0 0 90", "uper 0 0 90", {"line 10", "'uper' is not in the skeleton", "did you mean 'upper'?"});
  refuse_amc("upper 0 0 90", "antenna 0 0 90", {"line 10", "'antenna'", "another subject"});
  refuse_amc("upper 0 0 90", "upper 0 90", {"line 10", "'upper' has 2 values in frame 2", "expected 3 (rx ry rz)"});
  refuse_amc("upper 0 0 90", "upper 0 0 90 1", {"line 10", "'upper' has 4 values"});
  refuse_amc("upper 0 0 90", "upper 0 0 9O", {"line 10", "'9O' is not a number", "rz of bone 'upper'"});
  refuse_amc("upper 0 0 90", "upper 0 0 nan", {"line 10", "'nan' is not a number"});
  refuse_amc("upper 0 0 90", "upper 0 0 inf", {"line 10", "'inf' is not a number"});
  refuse_amc("upper 0 0 90", "upper 0 0 90\nupper 0 0 90", {"line 11", "'upper' comes twice in frame 2", "line 10"});
  refuse_amc("upper 0 0 90", "upper 0 0 90\ntip 1", {"line 11", "'tip' has 1 values", "expected 0 (it cannot move)"});
  refuse_amc("upper 0 0 90", "upper 0 0 9\xC2\xB0", {"line 10", "byte 0xC2"});
}

TEST(AmcErrors, FilesThatAreNot) {
  const Skeleton skeleton = parse_asf(fixture_text("motion/arm.asf"), "arm.asf");
  expect_error<DataError>([&] { read_amc("absent.amc", skeleton); }, {"absent.amc"});
  expect_error<DataError>([&] { read_asf(lgode::testing::fixture("motion")); }, {"is a folder"});
}

TEST(AmcErrors, FixturesOfCutAndIncompleteFiles) {
  const Skeleton skeleton = read_asf(lgode::testing::fixture("motion/arm.asf"));
  expect_error<DataError>([&] { read_amc(lgode::testing::fixture("motion/bad/truncated.amc"), skeleton); },
                          {"truncated.amc, line 22", "within frame 5", "'lower'", "cut off"});
  expect_error<DataError>([&] { read_amc(lgode::testing::fixture("motion/bad/missing_bone.amc"), skeleton); },
                          {"missing_bone.amc, line 8", "frame 2 lacks bone 'upper'"});
  expect_error<DataError>([&] { read_asf(lgode::testing::fixture("motion/bad/missing_bone.asf")); },
                          {"missing_bone.asf, line 37", "'lower' is not among the 2 of :bonedata"});
}

// Cut anywhere, a file is refused or read, and never anything else.
TEST(AmcErrors, CutAnywhere) {
  const Skeleton skeleton = parse_asf(fixture_text("motion/arm.asf"), "arm.asf");
  for (const char* name : {"motion/arm.asf", "motion/arm.amc"}) {
    const std::string text = fixture_text(name);
    std::size_t refused = 0;
    for (std::size_t n = 0; n < text.size(); ++n) {
      try {
        if (name[11] == 's')
          parse_asf(text.substr(0, n), name);
        else
          parse_amc(text.substr(0, n), name, skeleton);
      } catch (const DataError& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
        ++refused;
      }
    }
    EXPECT_GT(refused, text.size() / 2);
  }
}

}  // namespace
}  // namespace lgode::data
