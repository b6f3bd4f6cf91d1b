// The errors of a model next to another method's, system by system, and the objects that its errors come from.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lgode::eval {

// The mean squared errors of systems: of the model minus those of another method. Systems are the independent units.
struct Comparison {
  std::int64_t systems = 0, better = 0;  // systems in which the model's error is lower
  double difference = 0;                 // mean
  double standard_error = 0;             // of the mean; NaN for fewer than two systems
};

// The object with the largest share of the errors, by its name, where systems share names.
struct WorstObject {
  std::string object;
  double mse = 0, share = 0;  // its mean error, and its share of the errors of all objects
  std::string next;           // the object with the next largest mean error
  double next_mse = 0;
};

// Errors of (system, object, error), in the order of systems.
using ObjectErrors = std::vector<std::pair<std::int64_t, double>>;

// Sums of differences between two methods over systems, which add up over keepers of different systems.
class ComparisonKeeper {
 public:
  // The errors of the same objects under both methods, each with its system; objects of a system follow each other.
  void add(const ObjectErrors& model, const ObjectErrors& other);
  Comparison comparison() const;
  nlohmann::json state() const;
  void add(const nlohmann::json& state);

 private:
  double systems_ = 0, better_ = 0, sum_ = 0, squares_ = 0;
};

// Mean errors of objects by name.
class ObjectKeeper {
 public:
  void add(const std::string& object, double error);
  // The object whose mean error is at least five times the next one's and that has half of all errors.
  std::optional<WorstObject> worst() const;
  nlohmann::json state() const;
  void add(const nlohmann::json& state);

 private:
  std::map<std::string, std::pair<double, double>> named_;  // sum, count
};

}  // namespace lgode::eval
