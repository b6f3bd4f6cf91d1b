// Reads a new table for a run: what the commands predict and evaluate do with --table.
#pragma once

#include <string>

#include "lgode/data/dataset.h"
#include "lgode/use/new_table.h"
#include "text/flags.h"

namespace lgode::app {

// The flags of a new table.
struct TableArguments {
  std::string table, edges;
  bool skip_bad_rows = false;
};

// Declares them. `about`: the help of --table; `without`: what happens without it, if that needs to be said.
void add_table(Flags app, TableArguments& table, const std::string& about, const std::string& without = {});

// Checks that the table can be read before the work starts. In lgode this becomes lgode-engine, so that the table is
// read once. Prints the notes of the import. `out`: the file that is written, next to which scratch files are kept.
data::Dataset read_table_for(const std::string& run, const TableArguments& table, use::TableUse use, int threads,
                             const std::string& out);

}  // namespace lgode::app
