// Finds and reads the text files of a benchmark.
#include "lgode/benchmark/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>

#include "lgode/core/error.h"
#include "lgode/core/file.h"

namespace lgode::benchmark {
namespace {

namespace fs = std::filesystem;

constexpr double kMostFrames = 1e15;

bool parse(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

// Whether the number is a whole one that any sum of a few of them can hold.
bool is_whole(double number) { return number == std::round(number) && std::abs(number) <= kMostFrames; }

std::string name_of(std::string_view text) {
  double number = 0;
  if (!parse(text, number) || !is_whole(number)) return std::string(text);
  return std::to_string(static_cast<std::int64_t>(number));
}

[[noreturn]] void missing(const Protocol& protocol, const fs::path& path) {
  throw DataError(fmt::format("{}: is missing; {} needs {}", path.string(), protocol.name, protocol.source));
}

// Metres per pixel, by recording: column 1 is gates_0.jpg, column 4 is A in the row that counts, the last column is it.
std::map<std::string, double> read_scales(const fs::path& file) {
  std::map<std::string, double> scales;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    double scale = 0;
    if (fields.size() < 5 || !fields[0].ends_with(".jpg") || fields[3] != "A") continue;
    if (!parse(fields.back(), scale) || scale <= 0)
      throw DataError(fmt::format("{}: {} is no number of metres per pixel", file.string(), fields.back()));
    scales[fields[0].substr(0, fields[0].size() - 4)] = scale;
  }
  return scales;
}

std::vector<fs::path> text_files(const Protocol& protocol, const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) missing(protocol, folder);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".txt") files.push_back(entry.path());
  if (files.empty()) missing(protocol, folder / "*.txt");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Recording> in_folders(const Protocol& protocol, const fs::path& folder) {
  std::map<std::string, double> scales;
  const bool scaled = !protocol.scales.empty() && fs::exists(folder / protocol.scales);
  if (scaled) scales = read_scales(folder / protocol.scales);
  std::vector<Recording> recordings;
  for (const bool test : {false, true})
    for (const fs::path& file : text_files(protocol, folder / (test ? "test" : "train"))) {
      const std::string stem = file.stem().string();
      Recording recording{(test ? "test-" : "train-") + stem, file, test};
      if (scaled && test) {
        const auto found = scales.find(stem);
        if (found == scales.end())
          throw DataError(fmt::format("{}: has no row {}.jpg with version A, expected one for each file of test/",
                                      (folder / protocol.scales).string(), stem));
        recording.scale = 1 / found->second;
      }
      recordings.push_back(recording);
    }
  return recordings;
}

}  // namespace

std::vector<Recording> find_recordings(const Protocol& protocol, const fs::path& folder) {
  if (!fs::is_directory(folder)) missing(protocol, folder);
  if (protocol.folders) return in_folders(protocol, folder);
  std::vector<Recording> recordings;
  for (const std::string& name : protocol.files) {
    const fs::path file = folder / (name + ".txt");
    if (!fs::is_regular_file(file)) missing(protocol, file);
    recordings.push_back({name, file});
  }
  return recordings;
}

bool holds_out(const Fold& fold, const Recording& recording) {
  if (fold.recordings.empty()) return recording.test;
  return std::find(fold.recordings.begin(), fold.recordings.end(), recording.name) != fold.recordings.end();
}

std::vector<Row> read_rows(const fs::path& file) {
  std::vector<Row> rows;
  std::istringstream lines(read_text(file));
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    if (fields.empty()) continue;
    double frame = 0, x = 0, y = 0;
    const bool good = (fields.size() == 4 || fields.size() == 5) && parse(fields[0], frame) && is_whole(frame) &&
                      parse(fields[2], x) && parse(fields[3], y);
    if (!good)
      throw DataError(fmt::format("{}:{}: expected a frame, a person, x and y, separated by blanks, found '{}'",
                                  file.string(), number, line));
    rows.push_back({static_cast<std::int64_t>(frame), name_of(fields[1]), fields[2], fields[3],
                    fields.size() == 5 ? fields[4] : ""});
  }
  if (rows.empty()) throw DataError(file.string() + ": has no rows");
  return rows;
}

std::vector<Track> read_tracks(const Protocol& protocol, const Recording& recording) {
  struct Person {
    std::string name;
    std::map<std::int64_t, Point> at;  // by steps since the first frame
  };
  const std::vector<Row> rows = read_rows(recording.file);
  const std::int64_t first =
      std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.frame < b.frame; })->frame;
  std::vector<Person> people;
  std::map<std::string, std::size_t> known;
  for (const Row& row : rows) {
    if ((row.frame - first) % protocol.step != 0)
      throw DataError(fmt::format("{}: frame {} is not a multiple of {} after the first one, {}",
                                  recording.file.string(), row.frame, protocol.step, first));
    if (!protocol.kind.empty() && row.kind != protocol.kind) continue;
    const auto [place, is_new] = known.try_emplace(row.person, people.size());
    if (is_new) people.push_back({row.person, {}});
    Point point;
    parse(row.x, point.x), parse(row.y, point.y);
    people[place->second].at[(row.frame - first) / protocol.step] = point;
  }
  std::map<std::int64_t, std::vector<Track>> windows;
  for (const Person& person : people) {
    std::int64_t run = 0, last = 0;  // steps without a gap up to `last`
    for (const auto& [step, point] : person.at) {
      run = run > 0 && step == last + 1 ? run + 1 : 1;
      last = step;
      if (run < kFrames) continue;
      Track track{recording.name, step - kFrames + 1, person.name, 1, recording.scale};
      for (int k = 0; k < kFrames; ++k) track.points[static_cast<std::size_t>(k)] = person.at.at(track.window + k);
      windows[track.window].push_back(track);
    }
  }
  std::vector<Track> tracks;
  for (auto& [window, together] : windows)
    for (Track& track : together) {
      track.people = static_cast<std::int64_t>(together.size());
      tracks.push_back(std::move(track));
    }
  return tracks;
}

}  // namespace lgode::benchmark
