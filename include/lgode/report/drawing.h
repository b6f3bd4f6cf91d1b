// A picture made of lines, areas, discs and words, and its forms as a file. SVG is written here; PNG and PDF by Cairo
// if lgode was built with it (report/cairo.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lgode::report {

struct Point {
  double x = 0, y = 0;  // pixels of an SVG, from the upper left
};

struct Colour {
  int red = 0, green = 0, blue = 0;
  double opacity = 1;

  Colour with_opacity(double value) const { return {red, green, blue, value}; }
  // Mixed with white; opaque, so that overlapping shapes do not add up.
  Colour tint(double share) const;
};

// Okabe and Ito's colours, which colour-blind people can distinguish; repeated after the last.
Colour palette(std::size_t index);
inline constexpr Colour kInk = {34, 34, 34, 1}, kGrey = {140, 140, 140, 1}, kPale = {205, 205, 205, 1};

enum class Anchor { kStart, kMiddle, kEnd };

struct Shape {
  enum class Kind { kLine, kArea, kDisc, kText };
  Kind kind = Kind::kLine;
  std::vector<Point> points;  // of a line or an area; of a disc and a text one
  Colour stroke = kInk, fill = kInk;
  double width = 1;  // of the stroke; 0: none
  double size = 0;   // radius of a disc, height of a text's letters
  std::vector<double> dash = {};
  bool filled = false;  // a disc
  std::string text = {};
  Anchor anchor = Anchor::kStart;
  bool bold = false;
};

class Drawing {
 public:
  Drawing(double width, double height) : width_(width), height_(height) {}

  void line(std::vector<Point> points, Colour stroke, double width, std::vector<double> dash = {});
  void area(std::vector<Point> points, Colour fill);
  void disc(Point centre, double radius, Colour fill);
  void ring(Point centre, double radius, Colour stroke, double width);
  void text(Point at, const std::string& text, double size, Colour fill = kInk, Anchor anchor = Anchor::kStart,
            bool bold = false);

  double width() const { return width_; }
  double height() const { return height_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

 private:
  double width_, height_;
  std::vector<Shape> shapes_;
};

// An SVG document on a white ground. `title`: for readers of the file, not drawn.
std::string svg(const Drawing& drawing, const std::string& title);

}  // namespace lgode::report
