// lgode train: trains a model on a data set into a run folder. The flags are made from the declared options, so that
// help, config files and saved runs cannot disagree.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "commands/train_arguments.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/dataset.h"
#include "lgode/train/config.h"
#include "lgode/train/rank_place.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/run_lock.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"
#include "text/flag_text.h"
#include "text/flags.h"
#include "text/inputs.h"

namespace lgode::app {
namespace {

using Arguments = TrainArguments;

void print_config(const Arguments& arguments) {
  if (arguments.json) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Option& option : arguments.options.options())
      object[option.key] = {{"value", option.get()}, {"source", source_name(option.source)}};
    fmt::print("{}\n", json_text(object, 2));
    return;
  }
  use::Table table({"option", "value", "set by"});
  for (const Option& option : arguments.options.options())
    table.add({option.key, plain_text(option.get()), std::string(source_name(option.source))});
  fmt::print("{}", table.left().text());
}

data::Dataset load_data(const std::string& path, const std::optional<data::Dataset::Facts>& facts = {}) {
  if (path.empty()) throw ConfigError("no data set was named: lgode train DATA ..., or \"data\" in the config file");
  try {
    return data::load_dataset(path, facts);
  } catch (const DataError& error) {
    const std::filesystem::path file = path;
    if (!std::filesystem::is_regular_file(file) || file.extension() == ".safetensors") throw;
    throw DataError(
        fmt::format("{}: is not a data set; lgode train reads .safetensors files that lgode wrote. Make one of a table "
                    "first: {}",
                    path, import_advice(path, "lgode train", " ...")));
  }
}

// Only options that do not change the result may be given with --resume, and those that lengthen a run.
void check_resume(Arguments& arguments) {
  for (const auto& [name, given] :
       {std::pair{"--config", !arguments.config_file.empty()}, std::pair{"--force", arguments.force},
        std::pair{"--print-config", arguments.print_config}})
    if (given) throw ConfigError(fmt::format("{} does not go with --resume", name));
  for (const auto& [key, text] : arguments.flags.given_texts()) {
    const std::string flag = flag_name(key);
    const bool allowed = key == "data" || key == "threads" || key == "device" || key == "epochs" || key == "minutes";
    if (!allowed && key != "lr")
      throw ConfigError(fmt::format(
          "{} {}: --resume continues with the run's own options; only the data set's path, --threads, "
          "--device and a larger budget (--epochs, --minutes, or more --epochs of a schedule with a fixed length "
          "with an --lr for them) may be given",
          flag, text));
    arguments.options.set_text(key, text, Source::kFlag, flag);
  }
  if (arguments.was_given("lr") && !arguments.was_given("epochs"))
    throw ConfigError(
        "--lr with --resume is the learning rate of added epochs: give more --epochs, too, or start a new run with "
        "--from");
}

// The data set that the run is trained on.
std::string data_path(const Arguments& arguments) {
  return !arguments.resume || arguments.was_given("data") ? arguments.config.train.data
                                                          : train::load_config(arguments.out).train.data;
}

void check_new_run(const Arguments& arguments) {
  try {
    train::check_new_run(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse);
  } catch (const ExistsError& error) {
    throw DataError(
        fmt::format("{}; pass --resume to continue it, --force to replace it, or choose another --out", error.what()));
  }
}

// A config file, or what --print-config --json wrote.
nlohmann::json config_of(const std::string& path) {
  nlohmann::json file = read_json_file(path);
  for (nlohmann::json& entry : file)
    if (entry.is_object() && entry.contains("value")) entry = nlohmann::json(entry["value"]);
  return file;
}

int run_train(Arguments& arguments) {
  if (arguments.json && !arguments.print_config) throw ConfigError("--json goes with --print-config only");
  if (arguments.resume) {
    check_resume(arguments);
  } else {
    nlohmann::json file;
    before_reading(arguments.config_file);
    if (!arguments.config_file.empty()) file = config_of(arguments.config_file);
    train::resolve(arguments.options, arguments.config, arguments.flags.given_texts(), file, arguments.config_file);
  }
  if (arguments.print_config) {
    print_config(arguments);
    return kOk;
  }
  if (!arguments.resume || arguments.was_given("data"))
    refuse_table(arguments.config.train.data, "lgode train", "lgode train", " ...");
  if (arguments.out.empty()) throw ConfigError("--out is needed: the folder of the run");

  const std::optional<train::RankPlace> place = train::find_place(arguments.ranks);
  const std::string path = data_path(arguments);
  // Rank 0 checks the folder and the data for all; the others may come when it has begun to write.
  if (place && place->rank > 0)
    return run_training(arguments, path, [&](const auto& facts) { return load_data(path, facts); });
  train::check_idle(arguments.out);
  if (!arguments.resume) check_new_run(arguments);
  longer_config(arguments);  // only for its errors
  const data::Dataset dataset = load_data(path);
  return run_training(arguments, path, [&](const auto& /*facts*/) { return dataset; });
}

void add_option_flags(Arguments& arguments) {
  for (const Option& option : arguments.options.options()) {
    OptionFlags::Words words;
    // The data set is the first word of the command line, or a flag.
    if (option.key == "data") words.name = "DATA,--data", words.form = "FILE";
    arguments.flags.add_value(option.key, words).group(option.group.empty() ? "Options" : option.group);
  }
}

}  // namespace

std::optional<train::RunConfig> longer_config(const Arguments& arguments) {
  if (!arguments.resume || !(arguments.was_given("epochs") || arguments.was_given("minutes"))) return {};
  const train::TrainOptions& options = arguments.config.train;
  return train::lengthen(
      train::load_config(arguments.out), train::progress_of(arguments.out),
      {options.epochs, options.minutes, arguments.was_given("lr") ? std::optional(options.lr) : std::nullopt});
}

Command add_train(Flags root) {
  Flags app = root.add_command("train", "train a model on a data set");
  auto arguments = std::make_shared<Arguments>(app);
  arguments->config.model.kind = train::kDefaultModel;  // as the help names it
  train::declare(arguments->options, arguments->config);
  train::name_defaults(arguments->options);
  app.add_value("--out", arguments->out, "FOLDER", "run folder: config, metrics, checkpoint and best weights");
  app.add_value("--config", arguments->config_file, "FILE", "options as JSON, comments allowed; flags win over them");
  app.add_switch("--resume", arguments->resume,
                 "continue the run in --out where it stopped; with more --epochs or --minutes: train it longer");
  app.add_switch("--force", arguments->force, "replace the run in --out if there is one");
  app.add_switch("--print-config", arguments->print_config,
                 "print every option, its value and its source; train nothing");
  app.add_switch("--json", arguments->json, "with --print-config: as JSON");
  app.add_value("--stop-after", arguments->stop_after, "STEPS",
                "stop with a checkpoint once the run has taken STEPS steps in total, as if interrupted")
      .at_least(1);
  app.add_value(
      "--ranks", arguments->ranks, "auto|off|N",
      "processes that train together: auto joins the processes of torchrun, srun, lgode launch or RANK and WORLD_SIZE; "
      "off trains alone; N must be started",
      "auto");
  app.add_value("--backend", arguments->backend, "auto|gloo|nccl",
                "how processes exchange gradients; auto: NCCL where each has a GPU of its own, else Gloo", "auto")
      .one_of({"auto", "gloo", "nccl"});
  app.add_switch("--no-report", arguments->no_report,
                 "write no page to look at (report.html in the run folder) at the end");
  app.add_switch("--quiet", arguments->quiet, "print errors only");
  add_option_flags(*arguments);
  app.footer(
      examples({"lgode train springs.safetensors --task interpolate --observed 0.6 --out runs/first",
                "lgode train springs.safetensors --task extrapolate --minutes 10 --lr 5e-4 --out runs/second",
                "lgode train springs.safetensors --model lg-ode --task extrapolate --out runs/paper",
                "lgode train --config runs/first/config.json --seed 2 --out runs/third",
                "lgode train --resume --out runs/first", "lgode train --resume --minutes 120 --out runs/first",
                "lgode train springs.safetensors --from runs/first --lr 2e-4 --out runs/fourth",
                "lgode launch --processes 2 -- train springs.safetensors --out runs/fifth",
                "lgode train --recipe paper --print-config"}) +
      "\n\nA flag wins over the config file, the file over the recipe, the recipe over the defaults. Ctrl-C stops "
      "within two\nseconds and writes a checkpoint; --resume then ends with the same bytes as a run never "
      "interrupted.");
  return {app, [arguments] { return run_train(*arguments); }};
}

}  // namespace lgode::app
