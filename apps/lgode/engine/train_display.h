// What lgode train prints while a run is trained: its start, live steps and a line per epoch.
#pragma once

#include <cstdint>
#include <string>

#include "lgode/train/report.h"
#include "text/progress.h"

namespace lgode::app {

class TrainDisplay {
 public:
  explicit TrainDisplay(bool quiet) : progress_(quiet) {}

  // The first line, printed once the run has really started, and a line after it.
  void announce(std::string text) { start_ = std::move(text); }
  void note(std::string text) { note_ = std::move(text); }

  void centre(const train::CentreChoice& c);
  void place(const train::PlaceChoice& c);
  void trial(const train::Trial& t);
  void begin(const train::StartReport& r);
  // `start`: what the weights are before the first step.
  void initial(double error, const std::string& start);
  void step(const train::StepReport& r);
  void epoch(const train::EpochReport& r);

 private:
  void print(const train::EpochReport& r);

  Progress progress_;
  bool first_ = true, limited_ = true;
  std::string start_, note_, validation_ = "-";
};

}  // namespace lgode::app
