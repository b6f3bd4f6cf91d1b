// lgode report: a page of a run, with its errors and predictions to look at.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "command.h"
#include "commands/arguments.h"
#include "commands/report_page.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/eval/run_info.h"
#include "text/flags.h"
#include "text/inputs.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

int report_run(const ReportArguments& arguments) {
  refuse_table(arguments.run, "lgode report", "lgode train", " --out RUN, lgode report RUN");
  refuse_table(arguments.data, "lgode report", "lgode report RUN --data");
  const report::RunRecord record = report::read_run(arguments.run);
  const fs::path path = report_path(arguments.run, arguments.out);
  report::check_page_writable(path, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse);
  std::string data = arguments.data;
  if (data.empty()) data = record.config.value("data", std::string());
  if (const std::string note = report::record_only_note(record, data, !arguments.data.empty()); !note.empty()) {
    if (record.has_weights) fmt::print(stderr, "warning: {}: {}\n", arguments.run, note);
    const report::WrittenPage page = report::write_record_page(record, path, note);
    if (!arguments.quiet) print_page(page);
    if (arguments.open) open_in_browser(path);
    return kOk;
  }
  const data::Dataset dataset = data::load_dataset(data);
  eval::check_fits(eval::load_run_info(arguments.run), dataset, {.allow_mismatch = arguments.allow_mismatch});
  check_not_input(path.string(), {data, eval::checkpoint_path(arguments.run)}, "the report");
  return run_report(arguments, data, dataset);
}

}  // namespace

Command add_report(Flags root) {
  auto arguments = std::make_shared<ReportArguments>();
  Flags app = root.add_command("report", "write a page to look at a run: errors, curves, predicted systems");
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint").required();
  app.add_value("--data", arguments->data, "FILE", "data set", "the one the run was trained on");
  app.add_value("--systems", arguments->systems, "N",
                "systems to show: the best, the median, the worst and others between", "12")
      .at_least(1);
  app.add_value("--out", arguments->out, "FILE", "the page", "report.html in the run folder");
  app.add_switch("--open", arguments->open, "open the page in the browser");
  app.add_value(
         "--max-bytes", arguments->most_bytes, "N",
         "largest size of the page; fewer times and systems are shown to keep it, and the page lists what is omitted",
         "5000000")
      .at_least(1'000'000);
  app.add_switch("--force", arguments->force, "replace a file that is not a report of lgode");
  app.add_switch("--allow-mismatch", arguments->allow_mismatch,
                 "even if units or time spans of the data differ from the training data's");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(examples({"lgode report runs/first", "lgode report runs/first --systems 30 --out first.html --open",
                       "lgode report runs/first --data other.safetensors --out other.html"}) +
             "\n\nThe page is one file and loads nothing: it can be mailed, archived and opened without a network. Its "
             "errors are\nthe errors of lgode evaluate. Of a run that stopped or failed it shows how far it came.");
  return {app, [arguments] { return report_run(*arguments); }};
}

}  // namespace lgode::app
