// The files of a benchmark, and the tracks in them: the 20 positions of a person in a window. No LibTorch.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lgode/benchmark/protocol.h"

namespace lgode::benchmark {

struct Point {
  double x = 0, y = 0;
};

struct Recording {
  std::string name;  // of the file; with folders "train-" or "test-" and that
  std::filesystem::path file;
  bool test = false;  // of the folder test/
  double scale = 1;   // of errors: pixels per metre, where the benchmark has that
};

struct Track {
  std::string recording;
  std::int64_t window = 0;  // begins this many steps after the recording's first frame
  std::string person;
  std::int64_t people = 1;  // tracks in its window, of people who count
  double scale = 1;         // of errors
  std::array<Point, kFrames> points = {};
};

// All recordings, by name. DataError names what is missing and says where it is to be had.
std::vector<Recording> find_recordings(const Protocol& protocol, const std::filesystem::path& folder);

// Whether a fold holds a recording out.
bool holds_out(const Fold& fold, const Recording& recording);

// A row of a file: a frame's number, a person, and the rest as it is written. Names that are whole numbers are written
// without decimals, so that 7 and 7.0 are one person.
struct Row {
  std::int64_t frame = 0;
  std::string person;
  std::string x, y, kind;
};
// DataError with file and line for rows that are not "frame person x y" or "frame person x y kind", separated by
// blanks.
std::vector<Row> read_rows(const std::filesystem::path& file);

// The windows begin at every frame; a person has a track in one if all 20 frames have them. In the order of windows,
// then of people's first rows. DataError for a frame that is not a whole number of steps after the first one.
std::vector<Track> read_tracks(const Protocol& protocol, const Recording& recording);

}  // namespace lgode::benchmark
