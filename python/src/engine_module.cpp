// lgode._engine: everything that needs LibTorch. Loaded on first use. operators.cpp registers operators by itself.
#include "engine_module.h"

#include <c10/util/Exception.h>

#include "errors.h"
#include "lgode/core/mapped_files.h"

namespace py = pybind11;

PYBIND11_MODULE(_engine, m) {
  const py::module_ data = py::module_::import("lgode._data");  // its classes are arguments of functions here
  lgode::share_mapped_files(*data.attr("mapped_files").cast<py::capsule>().get_pointer<lgode::MappedFiles>());
  // Tried in reverse order: LibTorch's errors after the library's.
  py::register_local_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const c10::ValueError& e) {
      PyErr_SetString(PyExc_ValueError, e.what_without_backtrace());
    } catch (const c10::Error& e) {
      PyErr_SetString(PyExc_RuntimeError, e.what_without_backtrace());
    }
  });
  lgode::python::register_errors();
  lgode::python::add_run(m);
  lgode::python::add_training(m);
  lgode::python::add_follower(m);
  lgode::python::add_pages(m);
}
