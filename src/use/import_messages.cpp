// The counts of an import report in words.
#include "lgode/use/import_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "lgode/use/format.h"

namespace lgode::use {

Messages messages(const table::ImportReport& report, std::string_view about_every) {
  Messages out;
  const auto note = [&](std::int64_t count, const char* what, const std::string& about) {
    if (count > 0) out.push_back({Message::Kind::kNote, fmt::format("{} {}", format_plural(count, what), about)});
  };
  note(report.thinned_rows, "row", fmt::format("skipped by `every`{}", about_every));
  note(report.joined_rows, "row", "joined with another one of the same object and time, which it does not contradict");
  const std::string outside =
      report.empty_outside == 0 ? "" : fmt::format("; {} of them in no system", format_count(report.empty_outside));
  note(report.empty_rows, "row", "without a value: places to fill, not observations" + outside);
  note(report.empty_systems, "system", "skipped: without any observation");
  note(report.empty_windows, "window", "skipped: without any observation");
  // Many of them have a warning among the notes.
  if (4 * report.split_windows < report.windows)
    note(report.split_windows, "window", "skipped: too near to the other part, training or test");
  note(report.few_targets, "window", "skipped: no object to forecast, or in the test part fewer than `min_objects`");
  note(report.outside_windows, "observation", "in no window");
  if (!report.units.empty())
    out.push_back(
        {Message::Kind::kNote, fmt::format("units by the names of the columns: {}", fmt::join(report.units, ", "))});
  for (const std::string& text : report.notes) out.push_back({Message::Kind::kWarning, text});
  return out;
}

std::string skipped_text(const table::ImportReport& report) {
  if (report.skipped_rows == 0 && report.skipped_edges == 0) return {};
  return fmt::format("skipped {} and {}", format_plural(report.skipped_rows, "bad row"),
                     format_plural(report.skipped_edges, "bad edge"));
}

}  // namespace lgode::use
