// What an evaluation comes to: whether the model is ahead of the best classical method, how certain that is, and what
// to try where it is not.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lgode/eval/evaluate.h"

namespace lgode::use {

struct Verdict {
  enum class Kind {
    kNone,       // there is no classical method, or no error
    kAhead,      // the model's error is lower, beyond chance
    kUndecided,  // the difference may be chance
    kBehind,     // its error is higher, beyond chance
  };
  Kind kind = Kind::kNone;
  std::string against;  // key of the classical method with the lowest error
  double ratio = 0;     // the model's mean squared error to its
  std::string text;     // one sentence
  std::string advice;   // what to try, with a command; empty if there is nothing to say
};

// The limits of the training whose checkpoint is evaluated. The checkpoint may be older than the training's end, and
// the limits then were others.
struct Limits {
  std::optional<double> minutes = {};       // ended the training
  std::optional<std::int64_t> epochs = {};  // 0: none; unset: as the checkpoint says
};
// As the run folder says; unset where there is none.
Limits limits_of(const std::filesystem::path& checkpoint);

// What was evaluated, for the commands of an advice.
struct Subject {
  std::string run = {};   // as the user names it
  std::string data = {};  // likewise, a data set or a table; empty: in memory
  bool table = false;     // `data` is a new table
  Limits limits = {};
  bool python = false;  // advice is calls of the package, and names no folder
};

// Beyond chance: the mean difference over systems is larger than its standard error times Student's factor for 95 %.
Verdict verdict(const eval::Evaluation& evaluation, const eval::RunInfo& info, const Subject& subject);
// "ahead", "undecided", "behind" or "none".
std::string verdict_name(Verdict::Kind kind);
// With `worst`: worst_object_text().
nlohmann::ordered_json verdict_json(const eval::Evaluation& evaluation, const eval::RunInfo& info,
                                    const Subject& subject);

// One sentence about the object that the error comes from, or an empty text.
std::string worst_object_text(const eval::Evaluation& evaluation);

// One sentence on the calibrated intervals of an evaluation: whether they hold what they promise, and their score
// beside the best classical one's. Empty without intervals. `holds`: promise_holds(), and no differences between the
// parts.
std::string interval_verdict(const eval::Evaluation& evaluation, bool forecast, bool holds);

}  // namespace lgode::use
