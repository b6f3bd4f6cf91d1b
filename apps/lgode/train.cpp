// lgode train: from a data set and options to a run folder, with progress, Ctrl-C and --resume. The flags are made from
// the declared options, so that help, config files and saved runs cannot disagree.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "flags.h"
#include "format.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/train/config.h"
#include "lgode/train/trainer.h"
#include "progress.h"
#include "table.h"

namespace lgode::app {
namespace {

struct Arguments {
  train::RunConfig config;
  OptionSet options;                                        // bound to config
  std::vector<std::pair<std::string, CLI::Option*>> flags;  // option's key, flag
  std::vector<std::string> texts;                           // of the flags, in their order
  std::string config_file, out;
  bool force = false, resume = false, print_config = false, json = false, quiet = false;

  std::vector<std::pair<std::string, std::string>> given() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i].second->count() > 0) result.emplace_back(flags[i].first, texts[i]);
    return result;
  }
};

std::string value_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void print_config(const Arguments& arguments) {
  if (arguments.json) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Option& option : arguments.options.options())
      object[option.key] = {{"value", option.get()}, {"source", source_name(option.source)}};
    fmt::print("{}\n", object.dump(2));
    return;
  }
  Table table({"option", "value", "set by"});
  for (const Option& option : arguments.options.options())
    table.add({option.key, value_text(option.get()), std::string(source_name(option.source))});
  fmt::print("{}", table.left().text());
}

// What a run says while it goes.
class Display {
 public:
  explicit Display(bool quiet) : progress_(quiet) {}

  // Said when nothing stands in the way any more.
  void announce(std::string text) { start_ = std::move(text); }

  void begin(const train::StartReport& r) {
    progress_.line(fmt::format("{}: {} to train on, {} to validate; {} of {} an epoch, {} in all", start_,
                               format_plural(r.train_systems, "system"), format_count(r.validation_systems),
                               format_plural(r.steps_per_epoch, "step"), format_count(r.batch), format_count(r.steps)));
    if (r.done > 0) progress_.line(fmt::format("going on after {}", format_plural(r.done, "step")));
    if (r.steps > 0 && r.steps < 100)
      progress_.line("note: fewer than 100 steps train little; more --epochs or a smaller --batch make more of them");
  }

  void step(const train::StepReport& r) {
    // The most important first: a narrow terminal cuts the line.
    progress_.live(fmt::format(
        "epoch {}/{}  step {}/{}  {} left  loss {:.4g}  validation {}  log-likelihood {:.4g}  KL {:.4g}", r.epoch,
        r.epochs, r.step, r.steps, format_duration(r.seconds_left), r.loss, validation_, r.reconstruction, r.kl));
  }

  void epoch(const train::EpochReport& r) {
    validation_ = r.validation ? format_error(*r.validation) : "-";
    // A log gets some fifty lines; metrics.jsonl has every epoch.
    const std::int64_t stride = progress_.terminal() ? 1 : (r.epochs + 49) / 50;
    if (std::exchange(first_, false) || r.epoch == r.epochs || r.epoch % stride == 0) print(r);
  }

 private:
  void print(const train::EpochReport& r) {
    progress_.line(fmt::format(
        "epoch {}/{}  step {}  loss {:.4g}  log-likelihood {:.4g}  KL {:.4g}  error {}  validation {}{}  {} ({:.0f} "
        "ms a step)  {} "
        "left",
        r.epoch, r.epochs, r.steps, r.loss, r.reconstruction, r.kl, format_error(r.mse), validation_,
        r.best ? " (best)" : "", format_duration(r.seconds), r.step_ms, format_duration(r.seconds_left)));
  }

  Progress progress_;
  bool first_ = true;
  std::string start_, validation_ = "-";
};

struct Finished {
  train::TrainResult result;
  bool has_test = false;  // the data set has test systems
};

// The evaluation that this run's data allows.
std::string evaluate_command(const std::string& folder, const Finished& finished) {
  const char* split = finished.has_test                 ? ""
                      : finished.result.best_validation ? " --split validation"
                                                        : " --split train";
  return fmt::format("lgode evaluate {}{}", folder, split);
}

int report(const Arguments& arguments, const Finished& finished, double seconds) {
  const train::TrainResult& result = finished.result;
  const std::string folder = format_word(arguments.out);
  if (!result.finished) {
    fmt::print("stopped after {} and {}; a checkpoint is written\n", format_plural(result.epochs, "whole epoch"),
               format_plural(result.steps, "step"));
    fmt::print("go on with: lgode train --resume --out {}\n", folder);
    return kInterrupted;
  }
  if (arguments.quiet) return kOk;
  fmt::print("done: {}, {}, in {}\n", format_plural(result.epochs, "epoch"), format_plural(result.steps, "step"),
             format_duration(seconds));
  if (result.best_validation)
    fmt::print("best validation error: {} x 10^-2 (epoch {})\n", format_error(*result.best_validation),
               result.best_epoch);
  fmt::print("weights: {}\n", (std::filesystem::path(arguments.out) / "best.safetensors").string());
  fmt::print("next: {}\n", evaluate_command(folder, finished));
  return kOk;
}

bool has_test(const data::Dataset& dataset) { return !dataset.systems_in(data::Part::kTest).empty(); }

data::Dataset load_data(const std::string& path) {
  if (path.empty()) throw ConfigError("no data set was named: lgode train DATA ..., or \"data\" in the config file");
  return data::load_dataset(path);
}

std::string start_text(const std::string& data, const std::string& out) {
  return fmt::format("training on {}, run folder {}, errors are x 10^-2", data, out);
}

Finished start_run(const Arguments& arguments, Display& display, const train::TrainHooks& hooks) {
  const std::string& path = arguments.config.train.data;
  const data::Dataset dataset = load_data(path);
  display.announce(start_text(path, arguments.out));
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  return {train::train(arguments.config, dataset, arguments.out, overwrite, hooks), has_test(dataset)};
}

// Only what does not change the result may be given anew.
void check_resume(Arguments& arguments) {
  for (const auto& [name, given] :
       {std::pair{"--config", !arguments.config_file.empty()}, std::pair{"--force", arguments.force},
        std::pair{"--print-config", arguments.print_config}})
    if (given) throw ConfigError(fmt::format("{} does not go with --resume", name));
  for (const auto& [key, text] : arguments.given()) {
    const std::string flag = arguments.options.find(key)->flag();
    if (key != "data" && key != "threads" && key != "device")
      throw ConfigError(
          fmt::format("{} {}: --resume goes on with the run's own options; only the data set's path, "
                      "--threads and --device may be given",
                      flag, text));
    arguments.options.set_text(key, text, Source::kFlag, flag);
  }
}

Finished resume_run(Arguments& arguments, Display& display, const train::TrainHooks& hooks) {
  const auto given = [&](const char* key) { return arguments.options.find(key)->source == Source::kFlag; };
  const train::TrainOptions& options = arguments.config.train;
  const std::string path = given("data") ? options.data : train::load_config(arguments.out).train.data;
  const data::Dataset dataset = load_data(path);
  display.announce(start_text(path, arguments.out));
  return {train::resume(arguments.out, dataset, given("threads") ? std::optional(options.threads) : std::nullopt,
                        given("device") ? std::optional(options.device) : std::nullopt, hooks),
          has_test(dataset)};
}

int run_train(Arguments& arguments) {
  if (arguments.json && !arguments.print_config) throw ConfigError("--json goes with --print-config only");
  if (arguments.resume) {
    check_resume(arguments);
  } else {
    nlohmann::json file;
    if (!arguments.config_file.empty()) file = read_json_file(arguments.config_file);
    train::resolve(arguments.options, arguments.config, arguments.given(), file, arguments.config_file);
  }
  if (arguments.print_config) {
    print_config(arguments);
    return kOk;
  }
  if (arguments.out.empty()) throw ConfigError("--out is needed: the folder of the run");

  const auto begin = std::chrono::steady_clock::now();
  Finished finished;
  {
    Display display(arguments.quiet);
    train::TrainHooks hooks;
    hooks.on_start = [&](const train::StartReport& r) { display.begin(r); };
    hooks.on_step = [&](const train::StepReport& r) { display.step(r); };
    hooks.on_epoch = [&](const train::EpochReport& r) { display.epoch(r); };
    hooks.stop = stop_on_interrupt("stopping after this step; a checkpoint will be written");
    finished = arguments.resume ? resume_run(arguments, display, hooks) : start_run(arguments, display, hooks);
  }
  return report(arguments, finished, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

void add_option_flags(CLI::App& app, Arguments& arguments) {
  const std::vector<Option>& options = arguments.options.options();
  arguments.texts.resize(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    // The data set comes first on the command line, or by name.
    const std::string name = option.key == "data" ? "DATA,--data" : option.flag();
    CLI::Option* flag = add_value(app, name, arguments.texts[i], option.key == "data" ? "FILE" : option.accepts,
                                  option.help, value_text(option.default_value));
    flag->group(option.group.empty() ? "Options" : option.group);
    arguments.flags.emplace_back(option.key, flag);
  }
}

}  // namespace

Command add_train(CLI::App& root) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* app = root.add_subcommand("train", "train a model on a data set");
  train::declare(arguments->options, arguments->config);
  add_value(*app, "--out", arguments->out, "FOLDER", "run folder: config, metrics, checkpoint and best weights");
  add_value(*app, "--config", arguments->config_file, "FILE", "options as JSON, comments allowed; flags win over them");
  app->add_flag("--resume", arguments->resume, "go on with the run in --out where it stopped");
  app->add_flag("--force", arguments->force, "replace the run in --out if there is one");
  app->add_flag("--print-config", arguments->print_config,
                "print every option, its value and who set it; train nothing");
  app->add_flag("--json", arguments->json, "with --print-config: as JSON");
  app->add_flag("--quiet", arguments->quiet, "print errors only");
  add_option_flags(*app, *arguments);
  app->footer(
      examples({"lgode train springs.safetensors --task interpolate --observed 0.6 --out runs/first",
                "lgode train springs.safetensors --task extrapolate --epochs 10 --lr 5e-4 --out runs/second",
                "lgode train --config runs/first/config.json --seed 2 --out runs/third",
                "lgode train --resume --out runs/first", "lgode train --recipe paper --print-config"}) +
      "\n\nA flag wins over the config file, that over the recipe, that over the defaults. Ctrl-C stops after the "
      "current step\nand writes a checkpoint; --resume then ends with the same bytes as a run never interrupted.");
  return {app, [arguments] { return run_train(*arguments); }};
}

}  // namespace lgode::app
