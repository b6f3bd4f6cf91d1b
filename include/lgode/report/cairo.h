// PNG and PDF of a drawing, by Cairo (https://cairographics.org).
#pragma once

#include <string>

#include "lgode/report/drawing.h"

namespace lgode::report {

// Whether Cairo was there when lgode was built; else the functions below throw ConfigError.
bool has_cairo();
// The bytes of the file. PNG: `scale` dots per pixel of the SVG.
std::string png(const Drawing& drawing, double scale = 3);
std::string pdf(const Drawing& drawing, const std::string& title);

}  // namespace lgode::report
