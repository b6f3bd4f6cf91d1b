// Pages of runs: what lgode report and lgode compare write.
#include <pybind11/stl.h>

#include "convert.h"
#include "engine_module.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/eval/run.h"
#include "lgode/use/predict.h"
#include "lgode/use/run_page.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

Overwrite overwrite(bool force) { return force ? Overwrite::kAllow : Overwrite::kRefuse; }

py::dict dict_of(const report::WrittenPage& page, const use::Messages& messages) {
  py::list warnings;
  for (const use::Message& message : messages) warnings.append(py::make_tuple(true, message.text));
  return py::dict("path"_a = page.path.string(), "left_out"_a = page.left_out, "messages"_a = warnings);
}

void collect(use::Messages& all, const use::Messages& some) { all.insert(all.end(), some.begin(), some.end()); }

// `run`: None where the run has nothing but its record to show (`note`: why). `name`: the run's path.
py::dict report_page(const std::string& path, const std::string& name, const std::string& note, const eval::Run* run,
                     const data::Dataset* set, const std::string& data_path, std::int64_t systems,
                     std::int64_t most_bytes, bool allow_mismatch) {
  use::Messages messages;
  const report::WrittenPage page = without_gil([&](Interruptible& i) {
    if (run == nullptr || set == nullptr) return report::write_record_page(report::read_run(name), path, note);
    eval::check_fits(run->info, *set, {.allow_mismatch = allow_mismatch});
    return use::write_run_page(path, name, *run, data_path, *set,
                               {.systems = systems,
                                .most_bytes = most_bytes,
                                .allow_mismatch = allow_mismatch,
                                .on_messages = [&](const use::Messages& some) { collect(messages, some); }},
                               i.stop())
        .page;
  });
  return dict_of(page, messages);
}

py::dict comparison_page(const std::string& path, const std::vector<std::string>& runs, const std::string& data,
                         bool force, bool allow_mismatch, const std::string& device, std::int64_t threads) {
  use::Messages messages;
  const report::WrittenPage page = without_gil([&](Interruptible& i) {
    report::check_page_writable(path, overwrite(force));
    return use::write_comparison(path, runs, ops::make_context(device, threads),
                                 {.data = data,
                                  .allow_mismatch = allow_mismatch,
                                  .on_messages = [&](const use::Messages& some) { collect(messages, some); }},
                                 i.stop());
  });
  return dict_of(page, messages);
}

}  // namespace

void add_pages(py::module_& m) {
  m.def("report_page", &report_page);
  m.def("comparison_page", &comparison_page);
  m.def("default_page_path", [](const std::string& run) { return report::default_page_path(run).string(); });
  m.def("check_page_writable",
        [](const std::string& path, bool force) { report::check_page_writable(path, overwrite(force)); });
  // (data set of the run, why it has nothing but its record to show); `data` empty: the run's own.
  m.def("page_plan", [](const std::string& run, const std::string& data) {
    const report::RunRecord record = report::read_run(run);
    const std::string path = data.empty() ? record.config.value("data", std::string()) : data;
    return py::make_tuple(path, report::record_only_note(record, path, !data.empty()));
  });
}

}  // namespace lgode::python
