// Tracks and generated folders for tests of benchmarks.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lgode/benchmark/protocol.h"
#include "lgode/benchmark/tracks.h"

namespace lgode::benchmark {

// A person who walks along x with speed 1 per frame and, from frame 8 on, along y, too.
inline Track turning(const std::string& person = "1") {
  Track track{"scene", 0, person};
  for (std::size_t k = 0; k < kFrames; ++k)
    track.points[k] = {static_cast<double>(k), k < kSeen ? 0.0 : static_cast<double>(k - kSeen + 1)};
  return track;
}

// Rows "frame person x y" of people who walk straight through; person p is there from frame p on for `frames` frames.
inline void write_walkers(const std::filesystem::path& file, int people, int frames, int step,
                          const std::string& kind = "") {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream rows(file);
  for (int k = 0; k < frames + people; ++k)
    for (int p = 0; p < people; ++p)
      if (k >= p && k < p + frames)
        rows << fmt::format("{} {} {:.3f} {:.3f} {}\n", 100 + k * step, p + 1, 0.4 * k + 0.1 * ((7 * k + p) % 3),
                            1.5 * p + 0.05 * k, kind);
}

// A folder of the benchmark with a few people in each file.
inline void write_folder(const Protocol& protocol, const std::filesystem::path& folder, int people = 3,
                         int frames = 24) {
  if (protocol.folders) {
    for (const char* name : {"train/a", "train/b", "test/c"})
      write_walkers(folder / (std::string(name) + ".txt"), people, frames, protocol.step, protocol.kind);
    return;
  }
  for (const std::string& name : protocol.files) write_walkers(folder / (name + ".txt"), people, frames, protocol.step);
}

}  // namespace lgode::benchmark
