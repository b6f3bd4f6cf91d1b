// Runs lgode compare: the library evaluates the runs and makes the page.
#include <fmt/format.h>

#include "command.h"
#include "commands/arguments.h"
#include "commands/report_page.h"
#include "engine.h"
#include "lgode/use/run_page.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {

int run_comparison(const CompareArguments& arguments) {
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  report::WrittenPage page;
  {
    Progress progress;
    page = use::write_comparison(
        arguments.out, arguments.runs, ops::make_context(arguments.device, arguments.threads),
        {.data = arguments.data,
         .allow_mismatch = arguments.allow_mismatch,
         .progress = [&](const std::string& what, std::int64_t done,
                         std::int64_t total) { progress.share(what, done, total); },
         .on_messages =
             [&](const use::Messages& messages) {
               for (const use::Message& message : messages)
                 progress.line(fmt::format("{}: {}", message.kind == use::Message::Kind::kNote ? "note" : "warning",
                                           with_flags(message.text)));
             }},
        stop);
  }
  print_page(page);
  if (arguments.open) open_in_browser(arguments.out);
  return kOk;
}

}  // namespace lgode::app
