// The columns that say which row of a table a result belongs to, as the table itself has them, so that the result joins
// the table by these columns. Independent of LibTorch.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::use {

class OwnColumns {
 public:
  // `others`: the other columns of the result; an own name that is one of them becomes "system", "object" or "time".
  // `split`: where several columns make the name of a system, the result has several, too; else one, as the tables that
  // are made of a data set.
  OwnColumns(const data::Dataset& set, const std::vector<std::string>& others, bool split = true);

  // Of the system (none where the table has no such column and the set one system), the object and the time.
  std::vector<std::string> header() const;
  // The entries of the columns of systems.
  std::vector<std::string> system(const std::string& id) const;

 private:
  std::vector<std::string> system_;
  std::string object_, time_;
};

}  // namespace lgode::use
