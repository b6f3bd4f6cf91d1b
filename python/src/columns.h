// Columns of numpy and pandas as columns of a table in memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "lgode/table/memory.h"

namespace lgode::python {

// A MemoryTable with what it refers to: arrays that it shares with Python, and codes and numbers of its own.
struct PythonTable {
  table::MemoryTable table;
  std::vector<pybind11::object> arrays;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::int64_t>> instants;
};

// `columns`: one-dimensional arrays of one length, or (codes, names) for a column of categories. Those of ids may have
// any type; those of times numbers, datetime64[ns], or objects; those of features numbers or objects. Numbers are read
// where they are; objects (text, None and so on) are converted. `offset`: of times with a zone, which come
// as UTC, in texts: "+01:00".
void read_columns(const table::Roles& roles, std::string where, std::vector<std::string> names,
                  const pybind11::list& columns, const std::string& offset, PythonTable& out);

}  // namespace lgode::python
