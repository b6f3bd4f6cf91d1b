// Predictions as lgode predict writes them, with and without futures.
#include "lgode/benchmark/forecast_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "lgode/core/error.h"
#include "sample.h"

namespace lgode::benchmark {
namespace {

namespace fs = std::filesystem;

class ForecastFile : public ::testing::Test {
 protected:
  void SetUp() override { file_ = fs::temp_directory_path() / fmt::format("lgode-forecast-{}.csv", ::getpid()); }
  void TearDown() override { fs::remove(file_); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }
  std::string message(std::int64_t futures) const {
    try {
      read_predictions(file_, keys_, times_, futures);
    } catch (const DataError& error) {
      return error.what();
    }
    return "no error";
  }

  const std::vector<PredictionKey> keys_ = {{"scene/3", "7"}, {"scene/4", "7"}};
  const FrameTimes times_{0.4, 8, 2};
  fs::path file_;
};

TEST_F(ForecastFile, IsReadByName) {
  // Another object, another time and another feature are skipped; columns may have any order.
  write(
      "feature,mean,std,system,object,time\n"
      "x,1,0,scene/3,7,3.2\ny,2,0,scene/3,7,3.2\nvx,9,0,scene/3,7,3.2\nx,3,0,scene/3,7,3.6\ny,4,0,scene/3,7,3.6\n"
      "x,9,0,scene/3,8,3.2\nx,9,0,scene/3,7,2.8\nx,9,0,scene/3,7,4\n"
      "y,8,0,scene/4,7,3.6\nx,7,0,scene/4,7,3.6\ny,6,0,scene/4,7,3.2\nx,5e0,0,scene/4,7,3.2000001\n");
  const Predictions found = read_predictions(file_, keys_, times_, 0);
  EXPECT_EQ(found.path(0)[0].x, 1);
  EXPECT_EQ(found.path(0)[0].y, 2);
  EXPECT_EQ(found.path(0)[1].x, 3);
  EXPECT_EQ(found.path(1)[0].x, 5);
  EXPECT_EQ(found.path(1)[1].y, 8);
}

// Two objects, two frames, the one path and two futures; `one`: what the one path has as its future.
std::string with_futures(const std::string& one) {
  std::string text = "system,object,time,feature,mean,std,q05,q95,future,probability\n";
  for (int s = 3; s <= 4; ++s)
    for (int future = 0; future <= 2; ++future)
      for (int k = 0; k < 2; ++k)
        for (const char* feature : {"x", "y"})
          text += fmt::format("scene/{},7,{:.1f},{},{},0,0,0,{},{}\n", s, 3.2 + 0.4 * k, feature,
                              1000 * s + 100 * future + 10 * k + (feature[0] == 'x' ? 0 : 1),
                              future == 0 ? one : std::to_string(future), future == 0 ? "" : "0.5");
  return text;
}

TEST_F(ForecastFile, HasFuturesBesideTheOnePath) {
  for (const char* one : {"0", ""}) {
    write(with_futures(one));
    const Predictions found = read_predictions(file_, keys_, times_, 2);
    EXPECT_EQ(found.futures(), 2);
    EXPECT_EQ(found.path(0)[1].y, 3011);
    EXPECT_EQ(found.path(0, 1)[0].x, 3100);
    EXPECT_EQ(found.path(1, 2)[1].y, 4211);
    // Who wants the one path alone gets it.
    EXPECT_EQ(read_predictions(file_, keys_, times_, 0).path(1)[1].x, 4010);
  }
}

TEST_F(ForecastFile, SaysWhatIsMissing) {
  write(with_futures("0"));
  EXPECT_NE(message(1).find("future 2, expected 0 to 1"), std::string::npos) << message(1);
  EXPECT_NE(message(3).find("has no whole forecast of object 7 in scene/3, future 3"), std::string::npos) << message(3);
  write("system,object,time,feature,mean\nscene/3,7,3.2,x,1\n");
  EXPECT_NE(message(2).find("has no column 'future'; expected 2 futures"), std::string::npos) << message(2);
  EXPECT_NE(message(0).find("has no whole forecast of object 7 in scene/3"), std::string::npos) << message(0);
  for (const char* future : {"-1", "0.5", "nan", "inf", "1e300"}) {
    write(fmt::format("system,object,time,feature,mean,future\nscene/3,7,3.2,x,1,{}\n", future));
    EXPECT_NE(message(2).find(fmt::format("future {}, expected 0 to 2", future)), std::string::npos) << message(2);
  }
  write("system,object,time,feature,mean\nscene/3,7,nan,x,1\nscene/3,7,inf,y,1\nscene/3,7,-1e300,y,1\n");
  EXPECT_NE(message(0).find("has no whole forecast of object 7 in scene/3"), std::string::npos) << message(0);
  write("system,object,time,mean\n");
  EXPECT_NE(message(0).find("has no column 'feature'"), std::string::npos) << message(0);
  write("system,object,time,feature,mean\nscene/3,7,3.2,x,one\n");
  EXPECT_NE(message(0).find(".csv:2: 'one' is not a number"), std::string::npos) << message(0);
  write("system,object,time,feature,mean\nscene/3,7\n");
  EXPECT_NE(message(0).find(".csv:2: has 2 fields"), std::string::npos) << message(0);
}

}  // namespace
}  // namespace lgode::benchmark
