// Data sets: what the builder makes, what no set may hold, and files.
#include "lgode/data/dataset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/measured_features.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Description describe() {
  Description d;
  d.name = "demo";
  d.source = "by hand";
  d.time_unit = "s";
  d.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  d.relation_types = {"bond", "wire"};
  d.time_scale = 2.5;
  d.conditioning_length = 0.1;
  return d;
}

// Systems "first" (objects "a" with observations 1, 2, 3 out of order, "1" with none) and "1" (one object, one missing
// value).
Dataset sample() {
  DatasetBuilder builder(describe());
  EXPECT_EQ(builder.begin_system(Part::kTrain, 0.5, "first"), 0);
  EXPECT_EQ(builder.add_object("a"), 0);
  builder.add_observation(3.0, std::vector<double>{30.0, 31.0});
  builder.add_observation(1.0, std::vector<double>{10.0, 11.0});
  builder.add_observation(2.0, std::vector<double>{20.0, 21.0});
  EXPECT_EQ(builder.add_object(), 1);
  builder.add_relation({0, 1, 1, 2.0F});
  EXPECT_EQ(builder.begin_system(Part::kTest), 1);
  EXPECT_EQ(builder.add_object("b"), 0);
  builder.add_observation(-1.0, std::vector<double>{kMissing, 5.0});
  return builder.finish("sample");
}

TEST(DatasetBuilder, SortsAndCounts) {
  const Dataset d = sample();
  EXPECT_EQ(d.systems(), 2);
  EXPECT_EQ(d.objects(), 3);
  EXPECT_EQ(d.observations(), 4);
  EXPECT_EQ(d.relations(), 1);
  EXPECT_EQ(d.features(), 2);
  EXPECT_EQ(d.objects_of(0), 2);
  EXPECT_EQ(d.first_object(1), 2);
  EXPECT_EQ(d.origin(0), 0.5);
  EXPECT_EQ(d.part(1), Part::kTest);
  const auto times = d.times_of(0);
  EXPECT_EQ(std::vector<double>(times.begin(), times.end()), (std::vector<double>{1, 2, 3}));
  const auto values = d.values_of(0);
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()), (std::vector<double>{10, 11, 20, 21, 30, 31}));
  EXPECT_TRUE(d.times_of(1).empty());
  EXPECT_TRUE(std::isnan(d.values_of(2)[0]));
  EXPECT_TRUE(d.has_missing());
  EXPECT_EQ(d.relations_of(0), 1);
  EXPECT_EQ(d.relations_of(1), 0);
  EXPECT_EQ(d.relation(0).target, 1);
  EXPECT_EQ(d.relation(0).weight, 2.0F);
  EXPECT_EQ(d.description().max_length, 3);
  EXPECT_EQ(d.description().min_length, 3);  // of the training part
  EXPECT_EQ(d.systems_in(Part::kTest), std::vector<std::int64_t>{1});
}

TEST(DatasetBuilder, NamesWhoHasNoId) {
  const Dataset d = sample();
  EXPECT_EQ(d.system_id(0), "first");
  EXPECT_EQ(d.system_id(1), "1");
  EXPECT_EQ(d.object_id(0, 0), "a");
  EXPECT_EQ(d.object_id(0, 1), "1");
  EXPECT_EQ(d.object_id(1, 0), "b");

  DatasetBuilder builder(describe());
  builder.begin_system(Part::kTrain);
  builder.add_object();
  const Dataset plain = builder.finish("plain");
  EXPECT_TRUE(plain.description().system_ids.empty());
  EXPECT_TRUE(plain.description().object_ids.empty());
  EXPECT_EQ(plain.object_id(0, 0), "0");
  EXPECT_FALSE(plain.has_missing());
  EXPECT_EQ(plain.description().max_length, 0);
}

TEST(DatasetBuilder, MakesAnEmptySet) {
  const Dataset d = DatasetBuilder(describe()).finish("nothing");
  EXPECT_EQ(d.systems(), 0);
  EXPECT_EQ(d.objects(), 0);
}

TEST(DatasetBuilder, RefusesTwoObservationsAtOneTime) {
  DatasetBuilder builder(describe());
  builder.begin_system(Part::kTrain, 0.0, "s");
  builder.add_object("o");
  builder.add_observation(1.0, std::vector<double>{1, 2});
  builder.add_observation(0.0, std::vector<double>{1, 2});
  builder.add_observation(1.0, std::vector<double>{3, 4});
  expect_error<DataError>([&] { builder.finish("table.csv"); }, {"table.csv", "system 's', object 'o'", "1 after 1"});
}

TEST(DatasetBuilder, RefusesCallsOutOfOrder) {
  DatasetBuilder builder(describe());
  EXPECT_THROW(builder.add_object(), DataError);
  EXPECT_THROW(builder.add_relation({}), DataError);
  EXPECT_THROW(builder.add_observation(0.0, std::vector<double>{1, 2}), DataError);
  builder.begin_system(Part::kTrain);
  builder.add_object();
  EXPECT_THROW(builder.add_observation(0.0, std::vector<double>{1}), DataError);
  builder.begin_system(Part::kTrain);
  EXPECT_THROW(builder.add_observation(0.0, std::vector<double>{1, 2}), DataError);
}

// Arrays that can be damaged one by one: two systems of two objects and one object.
struct Spoilt {
  Description description = describe();
  std::vector<std::int64_t> object_offsets = {0, 2, 3};
  std::vector<std::int64_t> observation_offsets = {0, 2, 2, 3};
  std::vector<std::int64_t> relation_offsets = {0, 2, 2};
  std::vector<double> times = {0, 1, 0};
  std::vector<double> values = {1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> sources = {0, 1};
  std::vector<std::int32_t> targets = {1, 0};
  std::vector<std::int32_t> types = {0, 1};
  std::vector<float> weights = {1, 1};
  std::vector<std::uint8_t> parts = {0, 1};
  std::vector<double> origins = {0, 0};

  Dataset build() const {
    return Dataset(description,
                   {object_offsets, observation_offsets, relation_offsets, times, values, sources, targets, types,
                    weights, parts, origins},
                   nullptr, "some.file");
  }
};

TEST(Dataset, AcceptsGoodArrays) { EXPECT_NO_THROW(Spoilt().build()); }

TEST(Dataset, RefusesWhatNoSetMayHold) {
  const std::vector<std::pair<std::string, std::function<void(Spoilt&)>>> faults = {
      {"object_offsets falls",
       [](Spoilt& s) {
         s.object_offsets = {0, 4, 3};
       }},
      {"object_offsets starts with 1",
       [](Spoilt& s) {
         s.object_offsets = {1, 2, 3};
       }},
      {"object_offsets ends with 2",
       [](Spoilt& s) {
         s.object_offsets = {0, 2, 2};
       }},
      {"object_offsets has 2 entries",
       [](Spoilt& s) {
         s.object_offsets = {0, 3};
       }},
      {"object_offsets starts with -1", [](Spoilt& s) { s.object_offsets[0] = -1; }},
      {"observation_offsets ends with 4", [](Spoilt& s) { s.observation_offsets.back() = 4; }},
      {"observation_offsets falls", [](Spoilt& s) { s.observation_offsets[1] = 3; }},
      {"observation_offsets is empty", [](Spoilt& s) { s.observation_offsets.clear(); }},
      {"relation_offsets has 0 entries", [](Spoilt& s) { s.relation_offsets.clear(); }},
      {"relation_offsets ends with 3", [](Spoilt& s) { s.relation_offsets.back() = 3; }},
      {"system 0, object 0 has an observation at time nan", [](Spoilt& s) { s.times[1] = kMissing; }},
      {"system 1, object 0 has an observation at time inf", [](Spoilt& s) { s.times[2] = kInfinity; }},
      {"system 0, object 0 has times that do not ascend", [](Spoilt& s) { s.times[1] = 0; }},
      {"system 1, object 0 has an infinite 'v' at time 0", [](Spoilt& s) { s.values[5] = -kInfinity; }},
      {"values has 5 entries", [](Spoilt& s) { s.values.pop_back(); }},
      {"from object 0 to 2, but 2", [](Spoilt& s) { s.targets[0] = 2; }},
      {"from object -1", [](Spoilt& s) { s.sources[0] = -1; }},
      {"system 0 has a relation from object 1 to itself", [](Spoilt& s) { s.sources[0] = 1; }},
      {"type 2", [](Spoilt& s) { s.types[0] = 2; }},
      {"type -1", [](Spoilt& s) { s.types[0] = -1; }},
      {"weight 0", [](Spoilt& s) { s.weights[1] = 0; }},
      {"weight -1", [](Spoilt& s) { s.weights[1] = -1; }},
      {"weight inf", [](Spoilt& s) { s.weights[1] = std::numeric_limits<float>::infinity(); }},
      {"weight nan", [](Spoilt& s) { s.weights[1] = std::nanf(""); }},
      {"relation_weights has 1", [](Spoilt& s) { s.weights.pop_back(); }},
      {"relation_targets has 1", [](Spoilt& s) { s.targets.pop_back(); }},
      {"relation_types has 1", [](Spoilt& s) { s.types.pop_back(); }},
      {"system 0 has the part 2", [](Spoilt& s) { s.parts[0] = 2; }},
      {"system 1 has the origin nan", [](Spoilt& s) { s.origins[1] = kMissing; }},
      {"origins has 1", [](Spoilt& s) { s.origins.pop_back(); }},
      {"no features", [](Spoilt& s) { s.description.features.clear(); }},
      {"two features are named 'x'", [](Spoilt& s) { s.description.features[1].name = "x"; }},
      {"feature 0 has no name", [](Spoilt& s) { s.description.features[0].name = ""; }},
      {"velocity of feature 1", [](Spoilt& s) { s.description.features[1].velocity_of = 1; }},
      {"velocity of feature 2", [](Spoilt& s) { s.description.features[1].velocity_of = 2; }},
      {"scale group -1", [](Spoilt& s) { s.description.features[1].scale_group = -1; }},
      {"no relation types", [](Spoilt& s) { s.description.relation_types.clear(); }},
      {"time_scale is 0", [](Spoilt& s) { s.description.time_scale = 0; }},
      {"time_scale is inf", [](Spoilt& s) { s.description.time_scale = kInfinity; }},
      {"conditioning_length is nan", [](Spoilt& s) { s.description.conditioning_length = kMissing; }},
      {"min_length is 3 and max_length 2",
       [](Spoilt& s) {
         s.description.min_length = 3;
         s.description.max_length = 2;
       }},
      {"system_ids has 1", [](Spoilt& s) { s.description.system_ids = {"a"}; }},
      {"object_ids has 2",
       [](Spoilt& s) {
         s.description.object_ids = {"a", "b"};
       }},
  };
  for (const auto& [fault, spoil] : faults) {
    Spoilt arrays;
    spoil(arrays);
    expect_error<DataError>([&] { arrays.build(); }, {"some.file: ", fault});
  }
}

// Everything that a resumed training derives from the set again.
TEST(Dataset, FingerprintDependsOnWhatTrainingUses) {
  const std::vector<std::pair<std::string, std::function<void(Spoilt&)>>> changes = {
      {"object_offsets",
       [](Spoilt& s) {
         s.object_offsets = {0, 3, 3};
       }},
      {"observation_offsets", [](Spoilt& s) { s.observation_offsets[2] = 3; }},
      {"relation_offsets",
       [](Spoilt& s) {
         s.object_offsets = {0, 2, 4};
         s.observation_offsets.push_back(3);
         s.relation_offsets[1] = 1;
       }},
      {"times", [](Spoilt& s) { s.times[1] = 2; }},
      {"values", [](Spoilt& s) { s.values[5] = 7; }},
      {"missing values", [](Spoilt& s) { s.values[5] = kMissing; }},
      {"sources and targets", [](Spoilt& s) { std::swap(s.sources[0], s.targets[0]); }},
      {"types", [](Spoilt& s) { s.types[0] = 1; }},
      {"weights", [](Spoilt& s) { s.weights[1] = 2; }},
      {"parts", [](Spoilt& s) { s.parts[1] = 0; }},
      {"origins", [](Spoilt& s) { s.origins[1] = -1; }},
      {"time scale", [](Spoilt& s) { s.description.time_scale = 3; }},
      {"conditioning length", [](Spoilt& s) { s.description.conditioning_length = 0.2; }},
      {"max_length", [](Spoilt& s) { s.description.max_length = 5; }},
      {"min_length",
       [](Spoilt& s) {
         s.description.max_length = 5;
         s.description.min_length = 1;
       }},
      {"frames", [](Spoilt& s) { s.description.frames = {.seen = 8, .asked = 12, .step = 0.4}; }},
      {"scale group", [](Spoilt& s) { s.description.features[1].scale_group = 0; }},
      {"velocity_of", [](Spoilt& s) { s.description.features[1].velocity_of = -1; }},
      {"names of features", [](Spoilt& s) { s.description.features[1].name = "w"; }},
      {"order of features",
       [](Spoilt& s) { std::swap(s.description.features[0].name, s.description.features[1].name); }},
      {"number of relation types", [](Spoilt& s) { s.description.relation_types.emplace_back("rod"); }},
      {"names of relation types", [](Spoilt& s) { s.description.relation_types[1] = "rod"; }},
      {"where names end",
       [](Spoilt& s) {
         s.description.relation_types = {"bondw", "ire"};
       }},
  };
  std::map<std::string, std::string> seen{{Spoilt().build().fingerprint(), "none"}};
  for (const auto& [what, change] : changes) {
    Spoilt arrays;
    change(arrays);
    const Dataset set = arrays.build();
    const auto [found, fresh] = seen.emplace(set.fingerprint(), what);
    EXPECT_TRUE(fresh) << what << " as " << found->second;
    EXPECT_FALSE(Spoilt().build().has_fingerprint(set.fingerprint())) << what;
    EXPECT_TRUE(set.has_fingerprint(set.fingerprint())) << what;
  }
}

TEST(Dataset, FingerprintLeavesOutLabels) {
  Spoilt other;
  other.description.name = "renamed";
  other.description.source = "elsewhere";
  other.description.time_unit = "min";
  other.description.features[0].unit = "km";
  other.description.system_ids = {"one", "two"};
  EXPECT_EQ(other.build().fingerprint(), Spoilt().build().fingerprint());
}

// A checkpoint of an earlier version, which has the fingerprint in its first form.
TEST(Dataset, FingerprintsOfTheFirstFormAreStillKnown) {
  const std::string old = "61292fd14e595ab0";
  EXPECT_TRUE(Spoilt().build().has_fingerprint(old));
  EXPECT_NE(Spoilt().build().fingerprint(), old);
  EXPECT_FALSE(sample().has_fingerprint(old));
  EXPECT_FALSE(Spoilt().build().has_fingerprint(""));
  EXPECT_FALSE(Spoilt().build().has_fingerprint("2-" + old));
}

template <class T>
void expect_same(std::span<const T> a, std::span<const T> b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

TEST(DatasetFile, GivesBackWhatWasSaved) {
  const TempFolder folder;
  const Dataset d = sample();
  save_dataset(d, folder / "d.safetensors", Overwrite::kRefuse);
  const Dataset e = load_dataset(folder / "d.safetensors");
  expect_same(d.arrays().object_offsets, e.arrays().object_offsets);
  expect_same(d.arrays().observation_offsets, e.arrays().observation_offsets);
  expect_same(d.arrays().relation_offsets, e.arrays().relation_offsets);
  expect_same(d.arrays().times, e.arrays().times);
  expect_same(d.arrays().values, e.arrays().values);
  expect_same(d.arrays().relation_sources, e.arrays().relation_sources);
  expect_same(d.arrays().relation_targets, e.arrays().relation_targets);
  expect_same(d.arrays().relation_types, e.arrays().relation_types);
  expect_same(d.arrays().relation_weights, e.arrays().relation_weights);
  expect_same(d.arrays().parts, e.arrays().parts);
  expect_same(d.arrays().origins, e.arrays().origins);
  EXPECT_TRUE(e.has_missing());

  const Description& p = d.description();
  const Description& q = e.description();
  EXPECT_EQ(p.name, q.name);
  EXPECT_EQ(p.source, q.source);
  EXPECT_EQ(p.time_unit, q.time_unit);
  ASSERT_EQ(q.features.size(), 2U);
  EXPECT_EQ(q.features[1].name, "v");
  EXPECT_EQ(q.features[1].unit, "m/s");
  EXPECT_EQ(q.features[1].scale_group, 1);
  EXPECT_EQ(q.features[1].velocity_of, 0);
  EXPECT_EQ(p.relation_types, q.relation_types);
  EXPECT_EQ(p.time_scale, q.time_scale);
  EXPECT_EQ(p.conditioning_length, q.conditioning_length);
  EXPECT_EQ(p.max_length, q.max_length);
  EXPECT_EQ(p.min_length, q.min_length);
  EXPECT_EQ(p.system_ids, q.system_ids);
  EXPECT_EQ(p.object_ids, q.object_ids);

  save_dataset(e, folder / "again.safetensors", Overwrite::kRefuse);
  EXPECT_EQ(read_text(folder / "d.safetensors"), read_text(folder / "again.safetensors"));
  // A set may replace the file that it is mapped from.
  save_dataset(e, folder / "d.safetensors", Overwrite::kAllow);
  EXPECT_EQ(read_text(folder / "d.safetensors"), read_text(folder / "again.safetensors"));
}

TEST(DatasetFile, KeepsWindowsOfFrames) {
  Spoilt set;
  EXPECT_EQ(description_json(set.description).find("frames"), std::string::npos);
  set.description.frames = {.seen = 8, .asked = 12, .step = 0.4, .all_present = true, .min_objects = 2};
  const std::string json = description_json(set.description);
  EXPECT_EQ(read_description(json, "some.file").frames, set.description.frames);
  EXPECT_NO_THROW(set.build());
  set.description.frames.step = 0;
  expect_error<DataError>([&] { set.build(); }, {"frames are 8 + 12, 0 apart", "expected positive numbers"});
}

TEST(DatasetFile, KeepsAnEmptySet) {
  const TempFolder folder;
  save_dataset(DatasetBuilder(describe()).finish("nothing"), folder / "d", Overwrite::kRefuse);
  EXPECT_EQ(load_dataset(folder / "d").systems(), 0);
}

TEST(DatasetFile, StaysReadableAfterItsFileIsGone) {
  const TempFolder folder;
  save_dataset(sample(), folder / "d", Overwrite::kRefuse);
  const Dataset d = load_dataset(folder / "d");
  std::filesystem::remove(folder / "d");
  EXPECT_EQ(d.values_of(0)[5], 31.0);
}

// Saves the sample, lets `change` damage the file's content, and expects the file to be refused.
void refuse(const std::function<void(SafetensorsContent&)>& change, const std::string& fault) {
  const TempFolder folder;
  save_dataset(sample(), folder / "good", Overwrite::kRefuse);
  const SafetensorsFile good(folder / "good");
  SafetensorsContent content;
  for (const auto& [name, view] : good.tensors()) content.tensors.emplace_back(name, view);
  content.metadata = good.metadata();
  change(content);
  write_safetensors(folder / "bad", Overwrite::kRefuse, content);
  expect_error<DataError>([&] { load_dataset(folder / "bad"); }, {(folder / "bad").string() + ": ", fault});
}

TensorView& tensor(SafetensorsContent& content, const std::string& name) {
  for (auto& [key, view] : content.tensors) {
    if (key == name) return view;
  }
  throw std::out_of_range(name);
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

TEST(DatasetFile, RefusesOtherKindsAndVersions) {
  refuse([](SafetensorsContent& c) { c.metadata["lgode.kind"] = "checkpoint"; },
         "is a checkpoint, expected a data set");
  refuse([](SafetensorsContent& c) { c.metadata.clear(); }, "not a data set of lgode");
  refuse([](SafetensorsContent& c) { c.metadata["lgode.version"] = "2"; }, "version 2");
  refuse([](SafetensorsContent& c) { c.metadata.erase("lgode.version"); }, "lgode.version");
  refuse([](SafetensorsContent& c) { c.metadata.erase("lgode.description"); }, "lgode.description");
}

TEST(DatasetFile, RefusesDamagedDescriptions) {
  const auto edit = [](const std::string& from, const std::string& to) {
    return [=](SafetensorsContent& c) { replace(c.metadata["lgode.description"], from, to); };
  };
  refuse([](SafetensorsContent& c) { c.metadata["lgode.description"] = "{"; }, "is damaged");
  refuse([](SafetensorsContent& c) { c.metadata["lgode.description"] = "[]"; }, "'name' is absent");
  refuse(edit("\"time_scale\"", "\"other\""), "'time_scale' is absent");
  refuse(edit("\"time_scale\":2.5", "\"time_scale\":\"long\""), "'time_scale'");
  refuse(edit("\"max_length\":3", "\"max_length\":3.5"), "'max_length' is not a whole number");
  refuse(edit("\"relation_types\":[", "\"relation_types\":[7,"), "'relation_types'");
  refuse(edit("\"scale_group\":1", "\"scale_group\":null"), "'scale_group'");
  refuse(edit("\"features\":[", "\"features\":[1,"), "'name' is absent");
  refuse(edit("\"time_scale\":2.5", "\"time_scale\":-2.5"), "time_scale is -2.5");
}

TEST(DatasetFile, RefusesDamagedArrays) {
  refuse([](SafetensorsContent& c) { c.tensors.pop_back(); }, "no tensor 'values'");
  refuse(
      [](SafetensorsContent& c) {
        tensor(c, "values").shape = {2, 4};
      },
      "'values' has shape [2, 4], expected [-1, 2]");
  refuse([](SafetensorsContent& c) { tensor(c, "times") = tensor(c, "relation_weights"); }, "'times' has type F32");
  refuse(
      [](SafetensorsContent& c) {
        static const std::vector<double> times = {1, 2, 2, -1};
        tensor(c, "times").bytes = std::as_bytes(std::span(times));
      },
      "system 'first', object 'a' has times that do not ascend");
}

// Two objects with x, a team and a mass, some values missing. `moves`: whether x changes.
Dataset with_constants(bool moves) {
  Description d = describe();
  d.features = {{"x", "m", 0, -1}, {"team", "", 1, -1}, {"mass", "kg", 2, -1}};
  DatasetBuilder builder(d);
  builder.begin_system(Part::kTrain);
  for (const double own : {1.0, 2.0}) {
    builder.add_object();
    builder.add_observation(0.0, std::vector<double>{own, own, kMissing});
    builder.add_observation(1.0, std::vector<double>{moves ? own + 1 : own, kMissing, 70 * own});
    builder.add_observation(2.0, std::vector<double>{own, own, 70 * own});
  }
  return builder.finish("constants");
}

TEST(ConstantFeaturesTest, AreThoseThatNoObjectChanges) {
  EXPECT_EQ(with_constants(true).constant_features(), (std::vector<std::uint8_t>{0, 1, 1}));
  // Where nothing changes, everything counts.
  EXPECT_EQ(with_constants(false).constant_features(), (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(sample().constant_features(), (std::vector<std::uint8_t>{0, 0}));
}

}  // namespace
}  // namespace lgode::data
