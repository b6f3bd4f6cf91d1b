// lgode import: makes a data set from other data, one subcommand per format.
#include "commands/import.h"

#include <memory>
#include <vector>

#include "text/flags.h"

namespace lgode::app {
namespace {

// A format adds its subcommand to `lgode import`.
constexpr Command (*kFormats[])(Flags import) = {
    add_import_csv,
    add_import_cmu,
    add_import_lgode,
};

}  // namespace

Command add_import(Flags root) {
  Flags app = root.add_command("import", "make a data set from data of your own");
  app.require_command();
  auto formats = std::make_shared<std::vector<Command>>();
  for (const auto add : kFormats) formats->push_back(add(app));
  app.footer(
      examples({"lgode import csv --observations obs.csv --edges edges.csv --out data.safetensors",
                "lgode import cmu --asf 35.asf --train 35_02.amc,35_03.amc --test 35_28.amc --out motion.safetensors",
                "lgode import lgode --folder data --suffix _springs5 --out springs.safetensors"}));
  return {app, [formats]() -> int {
            for (const Command& format : *formats)
              if (format.app.parsed()) return format.run();
            return kUsage;
          }};
}

}  // namespace lgode::app
