// Ctrl-C (and a polite request to end): the first asks running work to stop, the second ends the program at once.
#pragma once

#include "lgode/core/stop.h"

namespace lgode::app {

// From now on the first SIGINT or SIGTERM sets the flag that is returned and prints `message` (a string literal: the
// handler reads it) to standard error; a second one has its usual effect.
const StopFlag* stop_on_interrupt(const char* message);

// To be called where the work is done and its result is put in place: throws Interrupted if a signal came before; one
// that comes later is told that it is too late.
void stop_no_more();

// Whether such a signal came.
bool interrupted();

}  // namespace lgode::app
