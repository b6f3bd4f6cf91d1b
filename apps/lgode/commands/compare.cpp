// lgode compare: a page with several runs side by side.
#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "commands/arguments.h"
#include "commands/report_page.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/report/run_record.h"
#include "text/flags.h"
#include "text/inputs.h"

namespace lgode::app {
namespace {

int compare(const CompareArguments& arguments) {
  if (arguments.runs.size() < 2) throw ConfigError("lgode compare needs two runs or more");
  report::check_page_writable(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse);
  for (const std::string& run : arguments.runs) {
    refuse_table(run, "lgode compare", "lgode train", " --out RUN, lgode compare RUN ...");
    report::read_run(run);  // for its errors
  }
  return run_comparison(arguments);
}

}  // namespace

Command add_compare(Flags root) {
  auto arguments = std::make_shared<CompareArguments>();
  Flags app = root.add_command("compare", "write a page with several runs side by side");
  app.add_value("RUN", arguments->runs, "...", "run folders or checkpoints").required();
  app.add_value("--out", arguments->out, "FILE", "the page").required();
  app.add_value("--data", arguments->data, "FILE", "data set for all runs", "the one each was trained on");
  app.add_switch("--open", arguments->open, "open the page in the browser");
  app.add_switch("--force", arguments->force, "replace a file that is not a page of lgode");
  app.add_switch("--allow-mismatch", arguments->allow_mismatch,
                 "even if units or time spans of the data differ from the training data's");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(
      examples({"lgode compare runs/first runs/second --out compare.html",
                "lgode compare runs/* --out compare.html --open"}) +
      "\n\nErrors are as lgode evaluate has them. A run without weights, or whose data set is absent, is shown with "
      "its settings\nand learning curve.");
  return {app, [arguments] { return compare(*arguments); }};
}

}  // namespace lgode::app
