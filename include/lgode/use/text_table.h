// A text table with padded columns: the first is left-aligned, the others right-aligned.
#pragma once

#include <string>
#include <vector>

namespace lgode::use {

class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  // Rows may be shorter than the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Lines with an indent of two, each ended by a newline; with a rule below the header.
  std::string text() const;
  // Aligns all columns to the left.
  Table& left() {
    left_ = true;
    return *this;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  bool left_ = false;
};

}  // namespace lgode::use
