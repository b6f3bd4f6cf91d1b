// A file that another program truncates while it is mapped: reading its lost pages is a signal, not an error.
#pragma once

namespace lgode::python {

// While files are mapped, and only then, a handler of SIGBUS puts zeros in place of pages that a mapped file has lost,
// and says so on standard error: the interpreter continues, and calls that read the file raise DataError. Every other
// fault goes to the handler that was there before.
void survive_lost_files();

}  // namespace lgode::python
