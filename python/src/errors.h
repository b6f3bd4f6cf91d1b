// The library's errors as Python exceptions.
#pragma once

#include <pybind11/pybind11.h>

namespace lgode::python {

// Translates DataError, ConfigError and so on to the classes of lgode._errors, for all extension modules.
void register_errors();

}  // namespace lgode::python
