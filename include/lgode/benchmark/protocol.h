// The benchmarks: where their files are from, which windows and which people count, and which figures come out. All of
// them show 8 frames of a window and ask for the 12 that follow; docs/benchmarks.md describes each. No LibTorch.
#pragma once

#include <string>
#include <vector>

namespace lgode::benchmark {

inline constexpr int kSeen = 8;     // frames of a window that are shown
inline constexpr int kFrames = 20;  // frames of a window
inline constexpr int kAhead = kFrames - kSeen;

enum class Task { kForecast, kImpute };

// Recordings that are held out together: a column of the tables.
struct Fold {
  std::string name;
  std::vector<std::string> recordings;  // names of the files, without .txt; empty: all of the folder test/
};

// What one figure is the mean of.
struct Group {
  std::string name;   // in records
  std::string title;  // in tables
  Task task = Task::kForecast;
  int least = 1;                           // people that a window must have
  int fewest_hidden = 0, most_hidden = 0;  // of the seen frames of each person; every number in turn
};

struct Protocol {
  std::string name, title;
  std::string unit;      // of positions and errors
  int step = 10;         // numbers of frames from one frame of a window to the next
  double rate = 25;      // numbers of frames per second
  bool folders = false;  // the files lie in train/ and test/, else side by side
  std::string kind;      // fifth column of the people who count; empty: all count, and there need not be one
  std::string scales;    // file next to train/ with metres per pixel of each recording: errors are in pixels
  std::vector<Fold> folds;
  std::vector<Group> groups;
  std::vector<std::string> files;  // without .txt, where there are no folders
  std::string source;              // where the files are to be had

  double seconds(int frames) const { return frames * step / rate; }
  bool hides() const;         // whether a group hides frames
  bool has(Task task) const;  // whether a group is of this task
};

const std::vector<Protocol>& protocols();

// ConfigError lists the names.
const Protocol& find_protocol(const std::string& name);

}  // namespace lgode::benchmark
