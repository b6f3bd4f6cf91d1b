// Trainings: the options as lgode train resolves them, the run folder that it writes, reports to a Python callback.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <exception>

#include "convert.h"
#include "engine_module.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "lgode/core/threads.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/run_lock.h"
#include "lgode/use/table_gaps.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

using Flags = std::vector<std::pair<std::string, std::string>>;

// Hands reports to a callback. What it raises stops the training and is raised after it.
class Reporter {
 public:
  Reporter(py::object callback, StopFlag& stop) : callback_(std::move(callback)), stop_(stop) {}

  template <class Make>
  void operator()(const char* kind, const Make& make) {
    const py::gil_scoped_acquire acquire;
    if (!callback_.is_none()) guard([&] { callback_(kind, make()); });
  }
  // As warnings.warn() does; a warning may be an error there.
  void warn(const std::string& text) {
    const py::gil_scoped_acquire acquire;
    guard([&] { py::module_::import("warnings").attr("warn")(text); });
  }
  // Whether so long has passed since the last time that it is time for another report.
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (callback_is_none_ || now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    return true;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Call>
  void guard(const Call& call) {
    if (error_) return;
    try {
      call();
    } catch (py::error_already_set& error) {
      // A signal that arrived while Python ran: the training ends as if it had arrived elsewhere.
      if (!error.matches(PyExc_KeyboardInterrupt)) error_ = std::current_exception();
      stop_.request();
    }
  }

  py::object callback_;
  bool callback_is_none_ = callback_.is_none();
  StopFlag& stop_;
  std::exception_ptr error_;
  std::chrono::steady_clock::time_point last_;
};

py::dict dict_of(const train::StartReport& r) {
  py::dict out("train_systems"_a = r.train_systems, "validation_systems"_a = r.validation_systems, "batch"_a = r.batch,
               "steps_per_epoch"_a = r.steps_per_epoch,
               "steps"_a = r.steps < train::kNoEnd ? py::cast(r.steps) : py::none(), "done"_a = r.done,
               "open"_a = r.open, "minutes"_a = r.minutes, "without_targets"_a = r.left_out.without_targets,
               "unseen"_a = r.left_out.unseen, "between"_a = r.left_out.between, "none_held_out"_a = r.none_held_out,
               "hidden_values"_a = r.hidden_values, "will_lack_values"_a = r.will_lack_values, "turned"_a = r.turned);
  if (r.base && r.base->kind) out["base"] = std::string(classical_method(*r.base->kind).key);
  if (r.cost) out["seconds"] = r.cost->seconds, out["least_seconds"] = r.cost->least_seconds;
  return out;
}

py::dict dict_of(const train::StepReport& r) {
  return py::dict("epoch"_a = r.epoch, "epochs"_a = r.epochs, "step"_a = r.step, "steps"_a = r.steps, "loss"_a = r.loss,
                  "reconstruction"_a = r.reconstruction, "kl"_a = r.kl, "mse"_a = r.mse,
                  "seconds_left"_a = r.seconds_left, "least_seconds_left"_a = r.least_seconds_left);
}

py::dict dict_of(const train::EpochReport& r) {
  return py::dict("epoch"_a = r.epoch, "epochs"_a = r.epochs, "steps"_a = r.steps, "loss"_a = r.loss,
                  "reconstruction"_a = r.reconstruction, "kl"_a = r.kl, "mse"_a = r.mse, "lr"_a = r.lr,
                  "validation"_a = r.validation, "best"_a = r.best, "seconds"_a = r.seconds, "step_ms"_a = r.step_ms,
                  "lowered"_a = r.lowered, "seconds_left"_a = r.seconds_left,
                  "least_seconds_left"_a = r.least_seconds_left);
}

const char* name_of(train::End end) {
  switch (end) {
    case train::End::kFixed:
      return "fixed";
    case train::End::kPlateau:
      return "plateau";
    case train::End::kEpochs:
      return "epochs";
    case train::End::kMinutes:
      return "minutes";
    case train::End::kNotYet:
      break;
  }
  return "stopped";
}

train::TrainHooks hooks_for(Reporter& report, const StopFlag* stop, std::optional<std::int64_t> stop_after) {
  train::TrainHooks hooks;
  hooks.on_start = [&](const train::StartReport& r) { report("start", [&] { return dict_of(r); }); };
  hooks.on_trial = [&](const train::Trial& t) {
    if (t.done == 0 || report.due())
      report("trial", [&] { return py::dict("steps"_a = 2 * t.steps, "done"_a = t.done, "seconds"_a = t.seconds); });
  };
  hooks.on_centre = [&](const train::CentreChoice& c) {
    report("centre", [&] {
      return py::dict("centre"_a = c.centre == data::Centre::kSystem ? "system" : "none", "steps"_a = c.steps,
                      "none"_a = c.none, "system"_a = c.system);
    });
  };
  hooks.on_place = [&](const train::PlaceChoice& c) {
    report("place", [&] {
      return py::dict("place"_a = c.on ? "on" : "off", "steps"_a = c.steps, "without"_a = c.without, "with"_a = c.with);
    });
  };
  hooks.on_initial = [&](double error) { report("initial", [&] { return py::dict("validation"_a = error); }); };
  hooks.on_step = [&](const train::StepReport& r) {
    if (report.due()) report("step", [&] { return dict_of(r); });
  };
  hooks.on_epoch = [&](const train::EpochReport& r) { report("epoch", [&] { return dict_of(r); }); };
  hooks.on_warning = [&](const std::string& text) { report.warn(text); };
  hooks.stop = stop;
  hooks.stop_after = stop_after;
  return hooks;
}

// Options that do not change the result may be given when a run is resumed, and options that lengthen it.
train::TrainResult resume(const std::string& folder, const data::Dataset& set, const Flags& flags,
                          const train::TrainHooks& hooks) {
  train::RunConfig given;
  OptionSet options;
  train::declare(options, given);
  for (const auto& [key, text] : flags) {
    if (key != "data" && key != "threads" && key != "device" && key != "epochs" && key != "minutes" && key != "lr")
      throw ConfigError(fmt::format(
          "`{}` {}: `resume` continues with the run's own options; only the data, `threads`, `device` and a "
          "larger budget (`epochs`, `minutes`, or more `epochs` of a schedule with a fixed length with an "
          "`lr` for them) may be given",
          key, text));
    options.set_text(key, text, Source::kFlag, "keyword");
  }
  const auto was_given = [&](const char* key) { return options.find(key)->source == Source::kFlag; };
  if (was_given("lr") && !was_given("epochs"))
    throw ConfigError(
        "`lr` with `resume` is the learning rate of added epochs: give more `epochs`, too, or start a new run with "
        "`from`");
  train::TrainOptions began = train::load_config(folder).train;
  if (was_given("threads")) began.threads = given.train.threads;
  if (was_given("device")) began.device = given.train.device;
  std::optional<train::RunConfig> longer;
  if (was_given("epochs") || was_given("minutes"))
    longer = train::lengthen(
        train::load_config(folder), train::progress_of(folder),
        {given.train.epochs, given.train.minutes, was_given("lr") ? std::optional(given.train.lr) : std::nullopt});
  return train::resume(folder, set, train::make_context(began), hooks, longer);
}

py::dict run_training(const data::Dataset& set, const std::string& folder, const Flags& flags,
                      const std::string& config, const std::string& config_name, bool go_on, bool force,
                      std::optional<std::int64_t> stop_after, const py::object& callback) {
  train::RunConfig own;
  if (!go_on) {
    OptionSet options;
    train::declare(options, own);
    const nlohmann::json file = config.empty() ? nlohmann::json() : nlohmann::json::parse(config);
    train::resolve(options, own, flags, file, config_name);
  }
  train::check_idle(folder);
  if (!go_on) train::check_new_run(folder, force ? Overwrite::kAllow : Overwrite::kRefuse);
  Interruptible interruptible;
  StopFlag& stop = interruptible.flag();
  Reporter report(callback, stop);
  const train::TrainHooks hooks = hooks_for(report, &stop, stop_after);
  std::int64_t threads = go_on ? train::load_config(folder).train.threads : own.train.threads;
  for (const auto& [key, text] : flags)
    if (key == "threads") threads = std::atoll(text.c_str());
  const std::string note = threads_note(threads);
  if (!note.empty()) report.warn(note);
  train::TrainResult result;
  bool nothing = false;  // it was stopped before there was anything to keep
  {
    const py::gil_scoped_release release;
    try {
      result =
          go_on ? resume(folder, set, flags, hooks)
                : train::train(use::settle_gaps(own, set, &stop), set, folder,
                               force ? Overwrite::kAllow : Overwrite::kRefuse, train::make_context(own.train), hooks);
    } catch (const Interrupted&) {
      nothing = true;
    }
  }
  report.rethrow();
  if (nothing) raise_interrupted();
  // A pending signal would raise as soon as Python continues: the caller first keeps what was trained, then raises
  // this.
  py::object error = py::none();
  if (stop.requested() && PyErr_CheckSignals() != 0) error = py::error_already_set().value();
  return py::dict("finished"_a = result.finished, "epochs"_a = result.epochs, "steps"_a = result.steps,
                  "end"_a = name_of(result.end), "best_validation"_a = result.best_validation,
                  "best_epoch"_a = result.best_epoch, "kl"_a = result.kl, "interrupted"_a = stop.requested(),
                  "error"_a = error);
}

}  // namespace

void add_training(py::module_& m) { m.def("train", &run_training); }

}  // namespace lgode::python
