// The parts of lgode._engine, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace lgode::python {

void add_run(pybind11::module_& m);       // trained models: load, predict, evaluate, fill, calibrate, weights
void add_training(pybind11::module_& m);  // train and resume
void add_follower(pybind11::module_& m);  // streams of rows
void add_pages(pybind11::module_& m);     // pages of runs

}  // namespace lgode::python
