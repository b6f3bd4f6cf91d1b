// lgode, the command (and lgode-engine, see engine.h): reads the command line, runs one subcommand, and turns errors
// into a message and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "command.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/threads.h"
#include "lgode/version.h"
#include "text/command_line.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/lost_file.h"
#include "text/option_flags.h"

namespace lgode::app {
namespace {

void print_error(const std::string& message) { fmt::print(stderr, "lgode: error: {}\n", message); }

// Removes the source location and the stack trace that LibTorch appends.
std::string without_trace(std::string message) {
  for (const char* mark : {"\nException raised from", "\nCPU kernel launch", "\nframe #0"}) {
    message = message.substr(0, message.find(mark));
  }
  message.erase(message.find_last_not_of(" \n") + 1);
  return message;
}

// "; did you mean --epochs?" for a flag of `app` or, before any subcommand, for a subcommand; empty if nothing is
// close.
std::string suggestion(const CLI::App& app, const std::string& unknown) {
  const bool flag = unknown.starts_with("--");
  std::vector<std::string> names;
  if (flag)
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back(name);
  else
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string word = flag ? unknown.substr(2, unknown.find('=') - 2) : unknown;
  const std::string near = nearest(word, names);
  return near.empty() ? "" : fmt::format("; did you mean {}{}?", flag ? "--" : "", near);
}

// The subcommand that the command line chose, or the command itself, and the words that chose it: " import csv".
std::pair<const CLI::App*, std::string> chosen(const CLI::App& root) {
  const CLI::App* app = &root;
  std::string words;
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    words += " " + app->get_name();
  }
  return {app, words};
}

void print_advice(const CLI::App& root) {
  const auto [app, words] = chosen(root);
  fmt::print(stderr, "lgode{} --help explains the {}\n", words, app == &root ? "command" : "flags");
}

int report_usage(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App* app = chosen(root).first;
  // Unknown arguments are reported first: they are often why another one seems to be missing.
  const std::vector<std::string> unknown = root.remaining(/*recurse=*/true);
  print_error(unknown.empty()
                  ? error.what()
                  : fmt::format("unknown argument {}{}", unknown.front(), suggestion(*app, unknown.front())));
  print_advice(root);
  return kUsage;
}

// Of --threads, in every command that has it. A number in a config file: engine/train.cpp.
void print_threads_note(const CLI::App& root) {
  const CLI::App* app = chosen(root).first;
  const CLI::Option* threads = app->get_option_no_throw("--threads");
  const CLI::Option* quiet = app->get_option_no_throw("--quiet");
  if (threads == nullptr || threads->empty() || (quiet != nullptr && !quiet->empty())) return;
  const std::string text = threads->as<std::string>();
  std::int64_t asked = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), asked).ec != std::errc()) return;
  if (const std::string note = threads_note(asked); !note.empty()) fmt::print(stderr, "note: {}\n", with_flags(note));
}

int run_selected(const CLI::App& root, const std::vector<Command>& commands) {
  try {
    for (const Command& command : commands) {
      if (command.app.parsed()) return command.run();
    }
    return kUsage;
  } catch (const FlagError& error) {
    print_error(with_flags(error.what()));
    print_advice(root);
    return kUsage;
  } catch (const ConfigError& error) {
    print_error(with_flags(error.what()));
    return kUsage;
  } catch (const ExistsError& error) {
    print_error(with_flags(error.what()) + "; pass --force to replace it");
    return kFailed;
  } catch (const DivergedError& error) {
    print_error(with_flags(error.what()));
    return kNoProgress;
  } catch (const NoProgressError& error) {
    print_error(with_flags(error.what()));
    fmt::print(stderr, "a smaller --step, larger --rtol and --atol or a fixed-step --solver may help\n");
    return kNoProgress;
  } catch (const Interrupted&) {
    fmt::print(stderr, "lgode: interrupted, nothing was written\n");
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; a smaller --batch needs less");
    return kFailed;
  } catch (const std::system_error& error) {
    // What std::thread throws.
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    print_error(thread ? "no further thread can be started; there is too little memory (ulimit -v) or there are too "
                         "many processes (ulimit -u); fewer --threads need less"
                       : error.what());
    return kFailed;
  } catch (const Error& error) {
    print_error(with_flags(error.what()));
    return kFailed;
  } catch (const std::exception& error) {
    const std::string message = without_trace(error.what());
    // LibTorch has no type of its own for this.
    const bool memory = message.find("alloc") != std::string::npos || message.find("Storage size") != std::string::npos;
    print_error(memory ? "out of memory; a smaller --batch, fewer --samples or smaller widths need less" : message);
    return kFailed;
  }
}

// `noted`: notes about the words were printed.
int run(int argc, char** argv, bool noted) {
  CLI::App root(
      "Learns the dynamics of interacting objects from irregular, partial observations (Latent Graph ODE), fills gaps\n"
      "and forecasts with uncertainty.",
      "lgode");
  root.set_version_flag("--version", std::string("lgode " LGODE_VERSION " (" LGODE_COMMIT ")"),
                        "print version and commit");
  root.set_help_flag("-h,--help", "print this help");
  root.require_subcommand(1);
  root.get_formatter()->column_width(40);
  // If a flag is given twice, the last value counts, as in most commands.
  root.option_defaults()->take_last();
  root.footer(
      "First steps:\n"
      "  lgode simulate springs --train 4000 --test 500 --out springs.safetensors\n"
      "  lgode train springs.safetensors --task extrapolate --observed 0.6 --out runs/first\n"
      "  lgode evaluate runs/first\n"
      "  lgode predict runs/first --data springs.safetensors --part test --out forecast.csv\n"
      "  lgode report runs/first --open\n\n"
      "Exit codes: 0 done, 1 a file or its content, 2 flags or config, 3 a solver made no progress, 130 interrupted.");

  const Flags flags(&root);
  const std::vector<Command> commands = {
      add_simulate(flags),  add_import(flags),   add_export(flags), add_split(flags),    add_merge(flags),
      add_info(flags),      add_train(flags),    add_launch(flags), add_evaluate(flags), add_calibrate(flags),
      add_predict(flags),   add_follow(flags),   add_report(flags), add_plot(flags),     add_compare(flags),
      add_reproduce(flags), add_benchmark(flags)};
  keep_command_line(argc, argv);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version arrive here, too, with code 0.
    return error.get_exit_code() == 0 ? root.exit(error) : report_usage(root, error);
  }
  if (!noted) print_threads_note(root);
  const int code = run_selected(root, commands);
  if (std::fflush(stdout) != 0 && code == kOk) {
    print_error("standard output cannot be written");
    return kFailed;
  }
  return code;
}

}  // namespace

int command_main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that exceeds ulimit -f is handled like a full disk
  report_lost_files();
  try {
    const bool noted = enter(argv);
    return run(argc, argv, noted);
  } catch (const ConfigError& error) {
    std::fprintf(stderr, "lgode: error: %s\n", with_flags(error.what()).c_str());
    return kUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgode: error: %s\n", with_flags(error.what()).c_str());
    return kFailed;
  }
}

}  // namespace lgode::app
