// Writes tables, and words commands.
#include "benchmark/data_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/process.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;
using namespace benchmark;

int frames_of(Task task) { return task == Task::kImpute ? kSeen : kFrames; }

std::string text_of(double number) { return fmt::format("{:.12g}", number); }

std::vector<std::string> import_words(const Protocol& protocol, Task task, const fs::path& observations,
                                      const fs::path& out) {
  const std::string unit = protocol.scales.empty() ? protocol.unit : "m";
  return {kThisProgram,
          "import",
          "csv",
          "--observations",
          observations.string(),
          "--columns",
          "time,object,x,y",
          "--time-unit",
          "frame",
          "--units",
          fmt::format("x={0},y={0}", unit),
          "--velocities",
          "difference",
          "--edges",
          "all",
          "--window",
          text_of(protocol.seconds(frames_of(task))),
          "--out",
          out.string()};
}

}  // namespace

std::vector<Asked> asked_of(const Protocol& protocol, const std::vector<Track>& tracks, const std::string& name) {
  std::vector<Asked> asked;
  if (!protocol.hides()) {
    for (const Track& track : tracks)
      asked.push_back({&track, 0, {}, {fmt::format("{}/{}", track.recording, track.window), track.person}});
    return asked;
  }
  int most = 0, least = 1;
  for (const Group& group : protocol.groups) most = std::max(most, group.most_hidden), least = group.least;
  std::map<std::tuple<std::string, std::int64_t, int>, std::int64_t> blocks;
  for (int count = 0; count <= most; ++count)
    for (const Track& track : tracks) {
      if (track.people < least) continue;
      const auto next = static_cast<std::int64_t>(blocks.size()) + 1;
      const std::int64_t block = blocks.try_emplace({track.recording, track.window, count}, next).first->second;
      asked.push_back({&track,
                       count,
                       hidden_frames(track, count),
                       {fmt::format("{}/{}", name, block), fmt::format("{}-{}", block, track.person)}});
    }
  return asked;
}

void write_tables(const std::vector<Recording>& recordings, const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  for (const Recording& recording : recordings) {
    std::ofstream file(folder / (recording.name + ".txt"), std::ios::binary);
    for (const Row& row : read_rows(recording.file))
      file << row.frame << '\t' << row.person << '\t' << row.x << '\t' << row.y << '\n';
    file.close();
    if (!file) throw DataError(fmt::format("{}: cannot be written", (folder / (recording.name + ".txt")).string()));
  }
}

void write_shown(const std::vector<Asked>& asked, int frames, const fs::path& file) {
  write_file(file, Overwrite::kAllow, [&](FileSink& sink) {
    const auto nobody = [&](std::int64_t block) { sink.write(fmt::format("{}\tnobody\t0\t0\n", block * frames)); };
    std::int64_t last = 0;
    nobody(0);
    for (const Asked& a : asked) {
      const std::int64_t block = std::stoll(a.key.object);  // "BLOCK-PERSON"
      last = std::max(last, block);
      std::string rows;
      for (std::size_t k = 0; k < kSeen; ++k) {
        if (a.hidden[k]) continue;
        const Point& point = a.track->points[k];
        rows += fmt::format("{}\t{}\t{}\t{}\n", block * frames + static_cast<std::int64_t>(k), a.key.object, point.x,
                            point.y);
      }
      sink.write(rows);
    }
    nobody(last + 1);
  });
}

std::vector<std::string> import_tables(const Protocol& protocol, const Fold& fold, Task task, const fs::path& tables,
                                       const fs::path& out) {
  std::vector<std::string> words = import_words(protocol, task, tables / "*.txt", out);
  const std::string test = fold.recordings.empty() ? "test-*" : fmt::format("{}", fmt::join(fold.recordings, ","));
  words.insert(words.end(),
               {"--rate", text_of(protocol.rate), "--stride", text_of(protocol.seconds(1)), "--test-systems", test});
  return words;
}

std::vector<std::string> import_shown(const Protocol& protocol, Task task, const fs::path& table, const fs::path& out) {
  std::vector<std::string> words = import_words(protocol, task, table, out);
  // One part: windows next to the other one would be left out.
  words.insert(words.end(), {"--rate", text_of(1 / protocol.seconds(1)), "--split", "1"});
  return words;
}

std::vector<std::string> predict(const Protocol& protocol, Task task, const fs::path& run, const fs::path& data,
                                 const fs::path& out) {
  const auto seconds = [&](int frame) { return text_of(protocol.seconds(frame)); };
  std::vector<std::string> words = {
      kThisProgram, "predict",    run.string(), "--data", data.string(),
      "--relative", "--samples",  "0",          "--part", protocol.hides() ? "all" : "test",
      "--out",      out.string(), "--force"};
  if (task == Task::kForecast)
    words.insert(words.end(), {"--start", seconds(kSeen - 1), "--include-start", "--times",
                               fmt::format("{}:{}:{}", seconds(kSeen), seconds(1), seconds(kFrames - 1))});
  else
    words.insert(words.end(), {"--times", fmt::format("0:{}:{}", seconds(1), seconds(kSeen - 1))});
  return words;
}

FrameTimes frame_times(const Protocol& protocol, Task task) {
  if (task == Task::kImpute) return {protocol.seconds(1), 0, kSeen};
  return {protocol.seconds(1), kSeen, kAhead};
}

}  // namespace lgode::app
