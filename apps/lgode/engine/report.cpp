// Runs lgode report: the library makes the page, here is its progress.
#include "engine/report.h"

#include "command.h"
#include "commands/report_page.h"
#include "engine.h"
#include "lgode/use/predict.h"
#include "lgode/use/run_page.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {

namespace {

use::RunPageOptions page_options(const ReportArguments& arguments, Progress& progress) {
  return {.systems = arguments.systems,
          .most_bytes = arguments.most_bytes,
          .allow_mismatch = arguments.allow_mismatch,
          .progress =
              [&progress](const std::string& what, std::int64_t done, std::int64_t total) {
                if (total > 0)
                  progress.share(what, done, total);
                else
                  progress.live(what);
              },
          .on_messages = [&arguments](const use::Messages& messages) { print_messages(messages, arguments.run); }};
}

}  // namespace

use::EvaluatedRun write_report(const ReportArguments& arguments, const std::string& data_path,
                               const data::Dataset& dataset, const StopFlag* stop) {
  const eval::Run run = eval::load_run(arguments.run, ops::make_context(arguments.device, arguments.threads));
  use::RunPage written;
  {
    Progress progress(arguments.quiet);
    written = use::write_run_page(report_path(arguments.run, arguments.out), arguments.run, run, data_path, dataset,
                                  page_options(arguments, progress), stop);
  }
  if (!arguments.quiet) print_page(written.page);
  return std::move(written.evaluated);
}

use::EvaluatedRun evaluate_shown(const ReportArguments& arguments, const std::string& data_path,
                                 const data::Dataset& dataset, const StopFlag* stop) {
  const eval::Run run = eval::load_run(arguments.run, ops::make_context(arguments.device, arguments.threads));
  Progress progress(arguments.quiet);
  return use::evaluate_shown(arguments.run, run, data_path, dataset, page_options(arguments, progress), stop);
}

int run_report(const ReportArguments& arguments, const std::string& data_path, const data::Dataset& dataset) {
  print_messages(use::messages_on(eval::load_run_info(arguments.run), dataset));
  write_report(arguments, data_path, dataset, stop_on_interrupt("stopping; nothing will be written"));
  if (arguments.open) open_in_browser(report_path(arguments.run, arguments.out));
  return kOk;
}

}  // namespace lgode::app
