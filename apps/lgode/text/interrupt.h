// Ctrl-C and SIGTERM: the first asks running work to stop, the second ends the program at once.
#pragma once

#include "lgode/core/stop.h"

namespace lgode::app {

// From now on the first SIGINT or SIGTERM sets the flag that is returned and prints `message` (a string literal: the
// handler reads it) to standard error; a second one has its usual effect.
const StopFlag* stop_on_interrupt(const char* message);

// A launcher and the terminal may both send the signal: a second one within two seconds counts as the first.
void expect_signals_twice();

// Another message (a string literal) for the rest of the work.
void set_stop_message(const char* message);

// Call it when the work is done, before the result is written. Throws Interrupted if a signal came before; a later
// signal only prints that it is too late.
void stop_no_more();

}  // namespace lgode::app
