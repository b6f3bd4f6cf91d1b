// Reads a new table for a run.
#include "commands/new_table.h"

#include "commands/import.h"
#include "engine.h"
#include "lgode/eval/run_info.h"
#include "text/flag_text.h"
#include "text/interrupt.h"

namespace lgode::app {

void add_table(Flags app, TableArguments& table, const std::string& about, const std::string& without) {
  app.add_value("--table", table.table, "FILE", about, without);
  app.add_value("--edges", table.edges, "FILE|none|all|k-nearest=K|within=R", "relations of a new table",
                "the rule of the training data");
  app.add_switch("--skip-bad-rows", table.skip_bad_rows,
                 "skip the rows of a new table that have a bad field, and report how many");
}

data::Dataset read_table_for(const std::string& run, const TableArguments& table, use::TableUse use, int threads,
                             const std::string& out) {
  const eval::RunInfo info = eval::load_run_info(run);
  before_work();
  use::Messages notes;
  data::Dataset set = use::read_new_table(info,
                                          {.files = {table.table},
                                           .edges = table.edges,
                                           .use = use,
                                           .skip_bad_rows = table.skip_bad_rows,
                                           .threads = threads,
                                           .scratch_folder = scratch_folder(out)},
                                          notes, stop_on_interrupt("stopping"));
  print_messages(notes);
  return set;
}

}  // namespace lgode::app
