// Estimates the time that work still takes, from reports of the share that is done.
#pragma once

#include <optional>

namespace lgode::app {

// Reports may come in lumps, after each batch, and the first one includes what is done once: files are loaded, threads
// are started. From the second one on, only the time since the first counts.
class TimeLeft {
 public:
  // `seconds` since the work began; `share` from 0 to 1.
  void add(double seconds, double share) {
    if (share <= 0) return;
    last_ = {seconds, share};
    if (!first_) first_ = last_;
  }
  // Unset: nothing is known.
  std::optional<double> seconds() const {
    if (!first_) return std::nullopt;
    const bool later = last_.share > first_->share;
    const double speed =
        later ? (last_.share - first_->share) / (last_.seconds - first_->seconds) : last_.share / last_.seconds;
    return speed > 0 ? std::optional((1 - last_.share) / speed) : std::nullopt;
  }

 private:
  struct Report {
    double seconds = 0, share = 0;
  };
  std::optional<Report> first_;
  Report last_;
};

}  // namespace lgode::app
