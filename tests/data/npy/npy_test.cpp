// numpy's files, pickled arrays of arrays among them, and the LG-ODE authors' four files made of them. The files were
// made by fixtures/npy/make.py.
#include "lgode/data/npy/npy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgode/core/error.h"
#include "lgode/data/npy/import_npy.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::expect_error;
using lgode::testing::fixture;
using lgode::testing::fixture_text;
using lgode::testing::TempFolder;

using Shape = std::vector<std::int64_t>;

NpyArray parse(const std::string& bytes) { return parse_npy(std::as_bytes(std::span(bytes)), "x.npy"); }

void refuse(const std::string& bytes, const std::vector<std::string>& parts) {
  expect_error<DataError>([&] { parse(bytes); }, parts);
}

TEST(Npy, Numbers) {
  const NpyArray a = read_npy(fixture("npy/numbers.npy"));
  EXPECT_EQ(a.shape, (Shape{2, 3}));
  EXPECT_FALSE(a.of_objects);
  EXPECT_EQ(a.numbers, (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25}));
  EXPECT_EQ(read_npy(fixture("npy/flags.npy")).numbers, (std::vector<double>{1, 0, 1}));
}

TEST(Npy, ColumnsBecomeRows) {
  const NpyArray a = read_npy(fixture("npy/columns.npy"));
  EXPECT_EQ(a.shape, (Shape{2, 3, 4}));
  ASSERT_EQ(a.elements(), 24);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(a.numbers[i], static_cast<double>(i));
}

TEST(Npy, ObjectsOfEveryProtocol) {
  for (const char* name : {"npy/objects2.npy", "npy/objects3.npy", "npy/objects4.npy", "npy/objects5.npy"}) {
    const NpyArray a = read_npy(fixture(name));
    ASSERT_TRUE(a.of_objects) << name;
    EXPECT_EQ(a.shape, (Shape{2, 2}));
    ASSERT_EQ(a.items.size(), 4U);
    EXPECT_EQ(a.items[0]->shape, (Shape{2, 2}));
    EXPECT_EQ(a.items[0]->numbers, (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(a.items[1]->numbers, (std::vector<double>{0, 1}));
    ASSERT_TRUE(a.items[2]->of_objects);  // a list
    EXPECT_EQ(a.items[2]->items[0]->numbers, std::vector<double>{1});
    EXPECT_EQ(a.items[2]->items[1]->numbers, std::vector<double>{2.5});
    EXPECT_EQ(a.items[3]->numbers, std::vector<double>{7});
  }
}

TEST(Npy, NothingIsCalled) { refuse(fixture_text("npy/call.npy"), {"x.npy, byte", "'posix.system'", "not run"}); }

TEST(Npy, RefusesOtherTypes) {
  refuse(fixture_text("npy/big_endian.npy"), {"'>f8'", "little-endian"});
  refuse(fixture_text("npy/text.npy"), {"'<U2'", "not read"});
}

TEST(Npy, RefusesDamagedFiles) {
  refuse("", {"x.npy: is not a file of numpy's", "numpy.save"});
  refuse("PK\x03\x04", {"is not a file of numpy's"});
  const std::string good = fixture_text("npy/numbers.npy");
  refuse(good + "x", {"more bytes than the array needs"});
  refuse(lgode::testing::replaced(good, "(2, 3)", "(2, 9)"), {"fewer than the array needs", "cut off"});
  refuse(lgode::testing::replaced(good, "(2, 3)", "(2, -3"), {"x.npy, byte"});
  refuse(lgode::testing::replaced(good, "'shape'", "'shade'"), {"header", "'shade'"});
  refuse(lgode::testing::replaced(good, "False", "Maybe"), {"True or False"});
  std::string version = good;
  version[6] = 9;
  refuse(version, {"version 9", "1 to 3"});
}

// A literal with zeros in it.
template <std::size_t kSize>
std::string literal(const char (&text)[kSize]) {
  return {text, kSize - 1};
}

// An array that holds itself, which pickles can say.
TEST(Npy, RefusesCircles) {
  const std::string good = fixture_text("npy/objects3.npy");
  const std::string header = lgode::testing::replaced(good.substr(0, good.find('\x80')), "(2, 2)", "(1,)  ");
  refuse(header + literal("\x80\x03]q\0h\0a."), {"holds no array"});
  const std::string array = literal("cnumpy.core.multiarray\n_reconstruct\n)Rq\0");
  const std::string type = literal("cnumpy\ndtype\nX\x02\0\0\0O8\x85R");
  refuse(header + literal("\x80\x03") + array + literal("(K\x01K\x01\x85") + type + literal("\x89]h\0atb."),
         {"within themselves"});
}

// Cut anywhere or with any byte changed, a file is refused or read, and never anything else.
TEST(Npy, DamagedAnywhere) {
  for (const char* name : {"npy/objects2.npy", "npy/objects4.npy", "npy/objects5.npy", "npy/columns.npy"}) {
    const std::string good = fixture_text(name);
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_THROW(parse(good.substr(0, n)), DataError) << name << " " << n;
    for (std::size_t n = 0; n < good.size(); ++n) {
      for (const int bit : {1, 16, 128}) {
        std::string bad = good;
        bad[n] = static_cast<char>(bad[n] ^ bit);
        try {
          parse(bad);
        } catch (const DataError&) {
        }
      }
    }
  }
}

NpyImport files(const std::string& suffix) {
  NpyImport options;
  options.folder = fixture("npy");
  options.suffix = suffix;
  return options;
}

TEST(ImportNpy, ReadsBothParts) {
  const Dataset d = import_npy(files("_springs3"));
  EXPECT_EQ(d.description().name, "springs3");
  EXPECT_EQ(d.systems_in(Part::kTrain).size(), 3U);
  EXPECT_EQ(d.systems_in(Part::kTest).size(), 2U);
  EXPECT_EQ(d.objects(), 15);
  EXPECT_EQ(d.description().time_scale, 6.0);
  EXPECT_EQ(d.description().conditioning_length, 6.0);
  EXPECT_EQ(d.description().max_length, 60);
  EXPECT_EQ(d.description().min_length, 4);
  ASSERT_EQ(d.features(), 4);
  EXPECT_EQ(d.description().features[3].name, "vy");
  EXPECT_EQ(d.description().features[3].velocity_of, 1);
  for (std::int64_t s = 0; s < 5; ++s) {
    const double number = static_cast<double>(s < 3 ? s : s - 3);
    for (std::int64_t i = 0; i < 3; ++i) {
      const std::int64_t o = d.first_object(s) + i;
      const auto times = d.times_of(o);
      ASSERT_EQ(times.size(), static_cast<std::size_t>(4 + i + (s < 3 ? 0 : 2)));
      for (std::size_t k = 0; k < times.size(); ++k) {
        EXPECT_EQ(times[k] < 6.0, k < static_cast<std::size_t>(4 + i));
        const auto row = d.values_of(o).subspan(4 * k, 4);
        EXPECT_NEAR(row[0], number + 0.1 * times[k], 1e-12);
        EXPECT_NEAR(row[1], static_cast<double>(i) - 0.1 * times[k], 1e-12);
        EXPECT_EQ(row[2], 0.1);
        EXPECT_EQ(row[3], -0.1);
      }
    }
    EXPECT_EQ(d.relations_of(s), 4);
  }
  EXPECT_EQ(d.relation(0).source, 0);
  EXPECT_EQ(d.relation(0).target, 1);
}

TEST(ImportNpy, ChargesOfOneSignOrOfBoth) {
  NpyImport options = files("_charged3");
  const Dataset same = import_npy(options);
  EXPECT_EQ(same.systems(), 2);  // there is no test part
  EXPECT_EQ(same.relations_of(0), 2);
  options.relations = ChargedRelations::kTyped;
  const Dataset typed = import_npy(options);
  EXPECT_EQ(typed.relations_of(0), 6);
  EXPECT_EQ(typed.relation(0).type, 1);
  EXPECT_EQ(typed.relation(1).type, 0);
  EXPECT_EQ(typed.description().relation_types.size(), 2U);
}

TEST(ImportNpy, StepAndRangeCanBeGiven) {
  NpyImport options = files("_springs3");
  options.step = 0.5;
  options.total_steps = 30;
  const Dataset d = import_npy(options);
  EXPECT_EQ(d.description().time_scale, 15.0);
  EXPECT_GT(d.description().conditioning_length, 20.0);  // all of a training system
}

TEST(ImportNpy, RefusesWhatDoesNotFit) {
  expect_error<DataError>([] { import_npy(files("_planets")); }, {"loc_train_planets.npy", "`suffix`"});
  const auto spoil = [](const char* from, const char* to, const std::vector<std::string>& parts) {
    const TempFolder folder;
    for (const char* name : {"loc", "vel", "edges", "times"}) {
      const std::string file = std::string(name) + "_train_charged3.npy";
      std::filesystem::copy_file(fixture("npy/" + file), folder / file);
    }
    std::filesystem::remove(folder / to);
    if (*from != 0) std::filesystem::copy_file(fixture(std::string("npy/") + from), folder / to);
    NpyImport options = files("_charged3");
    options.folder = folder.path();
    expect_error<DataError>([&] { import_npy(options); }, parts);
  };
  spoil("", "vel_train_charged3.npy", {"vel_train_charged3.npy"});
  spoil("loc_train_springs3.npy", "loc_train_charged3.npy", {"loc_train_charged3.npy", "3 systems", "2 of 3"});
  spoil("loc_test_springs3.npy", "loc_train_charged3.npy",
        {"loc_train_charged3.npy: system 0, object 0", "shape [6, 2]", "[4, 2]"});
  spoil("numbers.npy", "edges_train_charged3.npy", {"edges_train_charged3.npy", "[2, 3, 3]"});
  spoil("times_train_charged3.npy", "loc_train_charged3.npy", {"loc_train_charged3.npy", "shape [4]"});
  spoil("vel_train_charged3.npy", "times_train_charged3.npy", {"times_train_charged3.npy", "system 0, object 0"});
  NpyImport options = files("_springs3");
  options.step = 0;
  expect_error<ConfigError>([&] { import_npy(options); }, {"`step` 0"});
  options = files("_springs3");
  options.total_steps = 0;
  expect_error<ConfigError>([&] { import_npy(options); }, {"`total_steps` 0"});
}

TEST(ImportNpy, Stops) {
  StopFlag stop;
  stop.request();
  expect_error<Interrupted>([&] { import_npy(files("_springs3"), {}, &stop); }, {"interrupted"});
}

}  // namespace
}  // namespace lgode::data
