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

void write_report(const ReportArguments& arguments, const std::string& data_path, const data::Dataset& dataset,
                  const StopFlag* stop) {
  const eval::Run run = eval::load_run(arguments.run, ops::make_context(arguments.device, arguments.threads));
  report::WrittenPage page;
  {
    Progress progress(arguments.quiet);
    page = use::write_run_page(
        report_path(arguments.run, arguments.out), arguments.run, run, data_path, dataset,
        {.systems = arguments.systems,
         .most_bytes = arguments.most_bytes,
         .allow_mismatch = arguments.allow_mismatch,
         .progress =
             [&](const std::string& what, std::int64_t done, std::int64_t total) {
               if (total > 0)
                 progress.share(what, done, total);
               else
                 progress.live(what);
             },
         .on_messages = [&](const use::Messages& messages) { print_messages(messages, arguments.run); }},
        stop);
  }
  if (!arguments.quiet) print_page(page);
}

int run_report(const ReportArguments& arguments, const std::string& data_path, const data::Dataset& dataset) {
  print_messages(use::messages_on(eval::load_run_info(arguments.run), dataset));
  write_report(arguments, data_path, dataset, stop_on_interrupt("stopping; nothing will be written"));
  if (arguments.open) open_in_browser(report_path(arguments.run, arguments.out));
  return kOk;
}

}  // namespace lgode::app
