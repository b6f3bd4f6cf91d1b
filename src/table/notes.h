// What an import reports about a table: rows that contradict each other, and what looks like a mistake. Internal to the
// import.
#pragma once

#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/table/import.h"
#include "lgode/table/problem.h"
#include "table/assemble.h"

namespace lgode::table {

void report_duplicates(const ObservationTable& table, const data::Description& description,
                       std::vector<Duplicate>& duplicates, Problems& problems);

// Remarks for the user about the table as it was read. `new_table`: it was read for a run, as its training data's was;
// ids are then a matter of what writes them, and no option of the import can be set.
void note_table(const ObservationTable& table, const Systems& systems, bool new_table, ImportReport& report);
// Where times look like frames: how they were taken, and the rate that velocities or a column of seconds fit.
void note_frames(const ObservationTable& table, const data::Description& description, const Systems& systems,
                 bool new_table, ImportReport& report);

}  // namespace lgode::table
