// Reads a new table for a run.
#include "commands/new_table.h"

#include "commands/import.h"
#include "engine.h"
#include "lgode/eval/run_info.h"
#include "text/flag_text.h"
#include "text/interrupt.h"

namespace lgode::app {

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
