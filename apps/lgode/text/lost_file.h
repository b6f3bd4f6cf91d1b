// A file that another program truncates while it is mapped: reading its lost pages is a signal, not an error.
#pragma once

namespace lgode::app {

// From now on such a signal ends the process with a message that names the file, and the exit code kFailed. What was
// saved stays, as after a kill.
void report_lost_files();

}  // namespace lgode::app
