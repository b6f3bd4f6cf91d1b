// The key below a figure: what its lines, points and areas mean. Entries that do not fit go to further lines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lgode/report/drawing.h"
#include "lgode/report/system_view.h"

namespace lgode::report {

class FigureKey {
 public:
  // `truth`: also an entry of the rings of observations that the model does not see.
  FigureKey(const SystemView& view, bool truth);

  // Pixels that its lines need in a drawing of this width.
  double height(double width) const;
  // At the lower edge of the drawing, from `x`.
  void draw(Drawing& drawing, double x) const;

 private:
  struct Entry {
    std::string words;
    std::function<void(Drawing&, Point)> sample;  // at the left end of its middle, 24 pixels wide
  };
  // Calls `put` with each entry, its distance from the left edge and its line, from 0. Returns the number of lines.
  template <class Put>
  int each(double x, double width, const Put& put) const;

  std::vector<Entry> entries_;
};

}  // namespace lgode::report
