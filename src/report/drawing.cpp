// Collects shapes and writes them as SVG.
#include "lgode/report/drawing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "lgode/report/page.h"

namespace lgode::report {
namespace {

std::string hex(const Colour& c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

// Hundredths of a pixel, without zeros at the end.
std::string number(double x) {
  std::string text = fmt::format("{:.2f}", x);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string opacity(const char* name, const Colour& c) {
  return c.opacity < 1 ? fmt::format(" {}=\"{}\"", name, number(c.opacity)) : std::string();
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& p : points) text += (text.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  return text;
}

std::string shape_text(const Shape& s) {
  switch (s.kind) {
    case Shape::Kind::kLine: {
      std::string dash;
      for (const double d : s.dash) dash += (dash.empty() ? "" : " ") + number(d);
      if (!dash.empty()) dash = fmt::format(" stroke-dasharray=\"{}\"", dash);
      return fmt::format(
          "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"{} stroke-width=\"{}\"{} stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\"/>\n",
          points_text(s.points), hex(s.stroke), opacity("stroke-opacity", s.stroke), number(s.width), dash);
    }
    case Shape::Kind::kArea:
      return fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", points_text(s.points), hex(s.fill),
                         opacity("fill-opacity", s.fill));
    case Shape::Kind::kDisc:
      if (s.filled)
        return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>\n", number(s.points[0].x),
                           number(s.points[0].y), number(s.size), hex(s.fill), opacity("fill-opacity", s.fill));
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\"{} stroke-width=\"{}\"/>\n",
                         number(s.points[0].x), number(s.points[0].y), number(s.size), hex(s.stroke),
                         opacity("stroke-opacity", s.stroke), number(s.width));
    case Shape::Kind::kText:
      break;
  }
  static constexpr std::array kAnchors = {"start", "middle", "end"};
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
                     number(s.points[0].x), number(s.points[0].y), number(s.size), hex(s.fill),
                     kAnchors[static_cast<std::size_t>(s.anchor)], s.bold ? " font-weight=\"bold\"" : "",
                     escape_html(s.text));
}

}  // namespace

Colour Colour::tint(double share) const {
  const auto mix = [&](int c) { return static_cast<int>(std::lround(255 + (c - 255) * share)); };
  return {mix(red), mix(green), mix(blue), 1};
}

Colour palette(std::size_t index) {
  static constexpr std::array<Colour, 7> kColours = {{{0, 114, 178, 1},
                                                      {213, 94, 0, 1},
                                                      {0, 158, 115, 1},
                                                      {204, 121, 167, 1},
                                                      {230, 159, 0, 1},
                                                      {86, 180, 233, 1},
                                                      {80, 80, 80, 1}}};
  return kColours[index % kColours.size()];
}

void Drawing::line(std::vector<Point> points, Colour stroke, double width, std::vector<double> dash) {
  if (points.size() < 2) return;
  Shape s;
  s.kind = Shape::Kind::kLine, s.points = std::move(points), s.stroke = stroke, s.width = width,
  s.dash = std::move(dash);
  shapes_.push_back(std::move(s));
}

void Drawing::area(std::vector<Point> points, Colour fill) {
  if (points.size() < 3) return;
  Shape s;
  s.kind = Shape::Kind::kArea, s.points = std::move(points), s.fill = fill, s.filled = true;
  shapes_.push_back(std::move(s));
}

void Drawing::disc(Point centre, double radius, Colour fill) {
  Shape s;
  s.kind = Shape::Kind::kDisc, s.points = {centre}, s.size = radius, s.fill = fill, s.filled = true;
  shapes_.push_back(std::move(s));
}

void Drawing::ring(Point centre, double radius, Colour stroke, double width) {
  Shape s;
  s.kind = Shape::Kind::kDisc, s.points = {centre}, s.size = radius, s.stroke = stroke, s.width = width;
  shapes_.push_back(std::move(s));
}

void Drawing::text(Point at, const std::string& text, double size, Colour fill, Anchor anchor, bool bold) {
  Shape s;
  s.kind = Shape::Kind::kText, s.points = {at}, s.text = text, s.size = size, s.fill = fill, s.anchor = anchor;
  s.bold = bold;
  shapes_.push_back(std::move(s));
}

std::string svg(const Drawing& drawing, const std::string& title) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      number(drawing.width()), number(drawing.height()), escape_html(title));
  for (const Shape& shape : drawing.shapes()) text += shape_text(shape);
  return text + "</svg>\n";
}

}  // namespace lgode::report
