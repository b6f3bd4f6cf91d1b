// The subcommands as main sees them: each adds its flags to the command line and hands back what to run once they are
// read.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

namespace lgode::app {

enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kNoProgress = 3, kInterrupted = 130 };

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // returns an ExitCode; errors are thrown
};

Command add_simulate(CLI::App& root);
Command add_import(CLI::App& root);
Command add_export(CLI::App& root);
Command add_split(CLI::App& root);
Command add_merge(CLI::App& root);
Command add_info(CLI::App& root);
Command add_train(CLI::App& root);
Command add_evaluate(CLI::App& root);
Command add_predict(CLI::App& root);
Command add_reproduce(CLI::App& root);

}  // namespace lgode::app
