// lgode and lgode-engine: see command_main.cpp.
#include "command.h"

int main(int argc, char** argv) { return lgode::app::command_main(argc, argv); }
