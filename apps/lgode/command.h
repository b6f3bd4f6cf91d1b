// The command and its subcommands. Each subcommand adds its flags to the command line and returns the function to run
// once they are parsed.
#pragma once

#include <functional>

#include "text/flags.h"

namespace lgode::app {

enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kNoProgress = 3, kInterrupted = 130 };

struct Command {
  Flags app;
  std::function<int()> run;  // returns an ExitCode; errors are thrown
};

// The whole command, called by main(). Returns an ExitCode.
int command_main(int argc, char** argv);

Command add_simulate(Flags root);
Command add_import(Flags root);
Command add_export(Flags root);
Command add_split(Flags root);
Command add_merge(Flags root);
Command add_info(Flags root);
Command add_train(Flags root);
Command add_launch(Flags root);
Command add_evaluate(Flags root);
Command add_calibrate(Flags root);
Command add_predict(Flags root);
Command add_follow(Flags root);
Command add_report(Flags root);
Command add_plot(Flags root);
Command add_compare(Flags root);
Command add_reproduce(Flags root);
Command add_benchmark(Flags root);

}  // namespace lgode::app
