// Exceptions are Python classes (lgode/_errors.py), so that both extension modules raise the same ones.
#include "errors.h"

#include "lgode/core/error.h"

namespace py = pybind11;

namespace lgode::python {
namespace {

void raise(const char* name, const char* message) {
  const py::object type = py::module_::import("lgode._errors").attr(name);
  PyErr_SetString(type.ptr(), message);
}

}  // namespace

void register_errors() {
  py::register_local_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const ExistsError& e) {
      raise("ExistsError", e.what());
    } catch (const DataError& e) {
      raise("DataError", e.what());
    } catch (const ConfigError& e) {
      raise("ConfigError", e.what());
    } catch (const DivergedError& e) {
      raise("DivergedError", e.what());
    } catch (const NoProgressError& e) {
      raise("NoProgressError", e.what());
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace lgode::python
