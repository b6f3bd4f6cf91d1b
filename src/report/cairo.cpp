// Draws with Cairo.
#include "lgode/report/cairo.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <memory>
#include <numbers>

#include "lgode/core/error.h"

namespace lgode::report {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(fmt::format("the figure could not be drawn: {}", cairo_status_to_string(status)));
}

void set_colour(cairo_t* c, const Colour& colour) {
  cairo_set_source_rgba(c, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, colour.opacity);
}

void trace(cairo_t* c, const std::vector<Point>& points) {
  cairo_new_path(c);
  for (const Point& p : points) cairo_line_to(c, p.x, p.y);
}

void draw(cairo_t* c, const Shape& s) {
  switch (s.kind) {
    case Shape::Kind::kLine:
      trace(c, s.points);
      set_colour(c, s.stroke);
      cairo_set_line_width(c, s.width);
      cairo_set_dash(c, s.dash.data(), static_cast<int>(s.dash.size()), 0);
      cairo_stroke(c);
      return;
    case Shape::Kind::kArea:
      trace(c, s.points);
      cairo_close_path(c);
      set_colour(c, s.fill);
      cairo_fill(c);
      return;
    case Shape::Kind::kDisc:
      cairo_new_path(c);
      cairo_arc(c, s.points[0].x, s.points[0].y, s.size, 0, 2 * std::numbers::pi);
      set_colour(c, s.filled ? s.fill : s.stroke);
      cairo_set_line_width(c, s.width);
      cairo_set_dash(c, nullptr, 0, 0);
      s.filled ? cairo_fill(c) : cairo_stroke(c);
      return;
    case Shape::Kind::kText:
      break;
  }
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         s.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, s.size);
  cairo_text_extents_t extents;
  cairo_text_extents(c, s.text.c_str(), &extents);
  const double shift = s.anchor == Anchor::kStart ? 0 : s.anchor == Anchor::kMiddle ? 0.5 : 1;
  cairo_move_to(c, s.points[0].x - shift * extents.x_advance, s.points[0].y);
  set_colour(c, s.fill);
  cairo_show_text(c, s.text.c_str());
}

void draw(cairo_surface_t* surface, const Drawing& drawing, double scale) {
  check(cairo_surface_status(surface));
  const Context context(cairo_create(surface), cairo_destroy);
  cairo_t* c = context.get();
  cairo_scale(c, scale, scale);
  cairo_set_source_rgb(c, 1, 1, 1);
  cairo_paint(c);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  for (const Shape& shape : drawing.shapes()) draw(c, shape);
  check(cairo_status(c));
}

}  // namespace

bool has_cairo() { return true; }

std::string png(const Drawing& drawing, double scale) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(drawing.width() * scale),
                                                   static_cast<int>(drawing.height() * scale)),
                        cairo_surface_destroy);
  draw(surface.get(), drawing, scale);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

std::string pdf(const Drawing& drawing, const std::string& title) {
  std::string bytes;
  constexpr double kPoints = 0.75;  // of a pixel
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, kPoints * drawing.width(), kPoints * drawing.height()),
      cairo_surface_destroy);
  check(cairo_surface_status(surface.get()));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  draw(surface.get(), drawing, kPoints);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace lgode::report
