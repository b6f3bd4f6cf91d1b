// lgode import csv: a long table of observations and a table of edges as a data set.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "flags.h"
#include "import.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::string observations, edges, out;
};

int import_csv(const Arguments& /*arguments*/) { return kFailed; }

}  // namespace

Command add_import_csv(CLI::App& import) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* app = import.add_subcommand("csv", "import a long table of observations");
  add_value(*app, "--observations", arguments->observations, "FILE", "table with a row for each observation")
      ->required();
  add_value(*app, "--edges", arguments->edges, "FILE", "table with a row for each relation");
  add_value(*app, "--out", arguments->out, "FILE", "data set to write (.safetensors)")->required();
  return {app, [arguments] { return import_csv(*arguments); }};
}

}  // namespace lgode::app
