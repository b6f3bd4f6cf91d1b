// Which systems train and which are held out, to test or to validate: one rule for both.
//
// Uncut systems are drawn at random. Windows of five or more recordings are divided by whole recordings,
// drawn at random, so that windows of one recording are never on both sides. Of fewer recordings the last windows of
// each are held out, and the windows that overlap them are in no part; where more overlap than are held out, the last
// windows of fewer recordings are. Between training and test part a window's length is left, too, unless that leaves
// too few windows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/dataset.h"

namespace lgode::data {

struct TaskOptions;
class BatchMaker;

enum class Side : std::uint8_t { kTrain, kHeldOut };
// Of windows: whole recordings, or the end of each; kAuto: recordings, where there are five or more.
enum class HoldOut : std::uint8_t { kAuto, kRecordings, kEnds };

struct SplitTask {
  std::span<const std::uint32_t> recording;  // of each system
  std::span<const double> origins;           // of each system
  std::vector<bool> observed;                // of recordings: others are never drawn
  std::optional<double> window;              // length; unset: systems are whole recordings
  double stride = 0;                         // between windows; for Side::kTrain only
  double share = 0.8;
  // The side that `share` counts. It is settled first: windows between the two sides are taken from the other side.
  // Where it is kTrain, each recording that can be divided has windows on both sides. Where it is kHeldOut, a recording
  // may be too short for the share, and the gap between the sides is the same for all.
  Side counted = Side::kTrain;
  // Whether whole recordings are drawn until their windows come as near to the share as possible, in place of a share
  // of the recordings.
  bool by_windows = false;
  HoldOut from = HoldOut::kAuto;
  // Whether windows that are less than a window's length from the other side are left out, where there are enough;
  // else only those that overlap it.
  bool apart = true;
  Random random;
  // In place of the share: names or patterns of the systems to hold out, and the names that they are compared with.
  std::span<const std::string> held_out = {};
  std::span<const std::string> ids = {};         // of the systems
  std::span<const std::string> recordings = {};  // of recordings; an uncut system has its own name
};

enum class Fate : std::uint8_t {
  kTrain,
  kHeldOut,
  kBetween,  // a window that overlaps the other side, or is too near to it
  kEmpty,    // of a recording without observation
};

struct SplitResult {
  std::vector<Fate> fates;  // of each system
  bool undivided = false;   // there is one recording that cannot be divided; all of it trains

  std::int64_t count(Fate fate) const;
};

// ConfigError names an entry of `held_out` that no system has.
SplitResult split_systems(const SplitTask& task);

// Systems for training, validation and test. protocol=paper: no systems are held out, and the test part validates.
// protocol=clean: systems are held out by the rule above, where a recording is one of the training part.
struct Parts {
  std::vector<std::int64_t> train, validation, test;
  std::vector<std::int64_t> between = {};  // windows in no part
};
Parts split_parts(const Dataset& dataset, const TaskOptions& task);
// The same, where only these training systems are used; the others are in no part.
Parts split_parts(const Dataset& dataset, const TaskOptions& task, std::vector<std::int64_t> usable);
// The same, where training systems that the task cannot use (BatchMaker::use_of) are in no part: the training split.
Parts split_parts(const BatchMaker& maker);

// The systems on which normalisation is fitted: training and validation systems; with protocol=paper all systems.
std::vector<std::int64_t> normalisation_systems(const Dataset& dataset, const TaskOptions& task);

}  // namespace lgode::data
