// Result records: reading, refusing, and records of failures.
#include "lgode/reproduce/record.h"

#include <gtest/gtest.h>

#include <tuple>

#include "lgode/core/error.h"
#include "sample.h"
#include "support/temp_folder.h"

namespace lgode::reproduce {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;
using nlohmann::json;

const Cell kCell{"charged", "extrapolate", 80, "no-pe", "paper", 3};

TEST(Record, IsReadAsItWasWritten) {
  const TempFolder folder;
  write_sample(folder / "a.json", sample(kCell, 0.5));
  const Record record = read_record(folder / "a.json");
  EXPECT_EQ(record.cell, kCell);
  EXPECT_EQ(record.failed, "");
  EXPECT_EQ(record.errors.mse, 0.5);
  EXPECT_EQ(record.errors.unseen, 1.0);
  EXPECT_EQ(record.classical.at("hold").mse, 0.05);
  EXPECT_FALSE(record.classical.at("cubic_hermite").unseen);
  EXPECT_EQ(record.seconds, 6.0);
  EXPECT_EQ(record.train_systems, 90);
}

TEST(Record, SettingsAreThoseThatMatter) {
  const TempFolder folder;
  const auto settings = [&](const Cell& cell, const json& change) {
    json record = sample(cell, 0.5);
    record["config"].update(change);
    write_sample(folder / "a.json", record);
    return read_record(folder / "a.json").settings();
  };
  Cell other = kCell;
  other.seed = 4;
  EXPECT_EQ(settings(kCell, json::object()), settings(other, {{"threads", 8}, {"data", "y"}, {"device", "cuda"}}));
  EXPECT_NE(settings(kCell, json::object()), settings(kCell, {{"lr", 0.002}}));
}

TEST(Record, SaysWhatIsMissing) {
  const TempFolder folder;
  const auto refuse = [&](const json& record, const std::vector<std::string>& words) {
    write_sample(folder / "bad.json", record);
    expect_error<DataError>([&] { read_record(folder / "bad.json"); }, words);
  };
  json record = sample(kCell, 0.5);
  record.erase("test_mse");
  refuse(record, {"bad.json", "test_mse"});
  record = sample(kCell, 0.5);
  record["seed"] = "one";
  refuse(record, {"bad.json"});
  record = sample(kCell, 0.5);
  record["observed"] = 0.5;
  refuse(record, {"bad.json", "no cell", "50 %"});
  for (const auto& [key, value, word] :
       std::vector<std::tuple<std::string, json, std::string>>{{"config", 3, "config is 3"},
                                                               {"test_mse", -1.0, "test_mse is -1"},
                                                               {"seed", -1, "seed is -1"},
                                                               {"epochs", 1e300, "epochs is 1e+300"},
                                                               {"protocol", "foo", "protocol is foo"}}) {
    record = sample(kCell, 0.5);
    record[key] = value;
    refuse(record, {"bad.json", word});
  }
  refuse(json::array(), {"bad.json", "object"});
  expect_error<DataError>([&] { read_record(folder / "absent.json"); }, {"absent.json"});
}

TEST(Record, FoldersAreReadWithWhatCannotBeTold) {
  const TempFolder folder;
  write_sample(folder / "b.json", sample(kCell, 0.5));
  write_sample(folder / "a.json", sample(kCell, 0.25));
  write_sample(folder / "foreign.json", {{"x", 1}});
  write_sample(folder / "tables.json", {{"x", 1}});
  write_sample(folder / "notes.txt", {{"x", 1}});
  std::vector<std::string> left_out;
  const std::vector<Record> records = read_records(folder.path(), left_out);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].errors.mse, 0.25);
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_NE(left_out[0].find("foreign.json"), std::string::npos);
  expect_error<DataError>([&] { read_records(folder / "absent", left_out); }, {"absent", "no such folder"});
}

TEST(Record, OfAFailure) {
  const TempFolder folder;
  write_sample(folder / "a.json", failed_record(kCell, {{"lr", 0.1}}, "out of memory", "runs/x/log.txt"));
  const Record record = read_record(folder / "a.json");
  EXPECT_EQ(record.cell, kCell);
  EXPECT_EQ(record.failed, "out of memory");
}

TEST(FailureReason, TheLastErrorElseTheLastLineElseTheCode) {
  EXPECT_EQ(failure_reason("lgode: error: first\nlgode: error: second\nlgode train --help explains the flags\n", 2),
            "second");
  EXPECT_EQ(failure_reason("epoch 1\nsomething odd\n\n", 1), "something odd (exit code 1)");
  EXPECT_EQ(failure_reason("", 3), "ended with exit code 3");
  EXPECT_EQ(failure_reason("epoch 1\n", 128 + 11), "ended by signal 11");
  EXPECT_NE(failure_reason("epoch 1\n", 128 + 9).find("memory"), std::string::npos);
}

}  // namespace
}  // namespace lgode::reproduce
