// Figures: what is faint, what is solid, and that no text leaves its element.
#include "lgode/report/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lgode::report {
namespace {

// Two objects on circles (or helices), observed before 1 and predicted from there to 2.
SystemView circling(std::size_t features) {
  SystemView view;
  view.forecast = true;
  view.begin = 0, view.start = 1, view.end = 2;
  view.objects_total = 2;
  const auto value = [](int object, double t, std::size_t f) {
    return static_cast<float>(f == 0 ? std::cos(t + object) : f == 1 ? std::sin(t + object) : 3.0 * object);
  };
  for (int k = 0; k <= 20; ++k) view.times.push_back(1 + 0.05 * k);
  for (int o = 0; o < 2; ++o) {
    ObjectView object;
    object.id = o == 0 ? "<b>" : "second";
    for (int k = 0; k <= 40; ++k) {
      object.times.push_back(0.05 * k);
      object.seen.push_back(k < 20), object.asked.push_back(k >= 20);
      for (std::size_t f = 0; f < features; ++f) object.values.push_back(value(o, 0.05 * k, f));
    }
    view.objects.push_back(object);
    for (const double t : view.times)
      for (std::size_t f = 0; f < features; ++f) {
        view.mean.push_back(value(o, t, f));
        view.low.push_back(value(o, t, f) - 0.1F), view.high.push_back(value(o, t, f) + 0.1F);
      }
  }
  view.relations = {{0, 1, 0, 1.0F}, {1, 0, 0, 1.0F}};
  return view;
}

data::Description describe(std::size_t features) {
  data::Description d;
  for (std::size_t f = 0; f < features; ++f)
    d.features.push_back({std::string(1, static_cast<char>('x' + f)), "m", 0, -1});
  return d;
}

std::size_t lines(const Drawing& drawing, bool faint) {
  return static_cast<std::size_t>(std::count_if(drawing.shapes().begin(), drawing.shapes().end(), [&](const Shape& s) {
    return s.kind == Shape::Kind::kLine && s.points.size() > 15 && (s.stroke.opacity < 1) == faint;
  }));
}

TEST(Figure, ObservedPathsAreFaintAndPredictedOnesSolid) {
  const Drawing drawing = figure(circling(2), describe(2), {});
  EXPECT_EQ(lines(drawing, true), 4U);   // two objects, in the truth and before the forecast
  EXPECT_EQ(lines(drawing, false), 4U);  // two objects, true and predicted
  const auto bands = std::count_if(drawing.shapes().begin(), drawing.shapes().end(),
                                   [](const Shape& s) { return s.kind == Shape::Kind::kArea; });
  EXPECT_GE(bands, 2 * 21);
  for (const Shape& shape : drawing.shapes())
    for (const Point& p : shape.points) {
      ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
      EXPECT_TRUE(p.x >= -20 && p.x <= drawing.width() + 20 && p.y >= -20 && p.y <= drawing.height() + 20);
    }
}

// Adds futures of both objects: ahead of the mean path by a twentieth, a tenth and so on.
SystemView with_futures(SystemView view, std::vector<double> probability) {
  view.futures.count = static_cast<std::int64_t>(probability.size()), view.futures.total = 20;
  const std::size_t each = view.mean.size() / 2;
  for (std::size_t o = 0; o < 2; ++o)
    for (std::size_t j = 0; j < probability.size(); ++j) {
      view.futures.probability.push_back(probability[j]);
      for (std::size_t k = 0; k < each; ++k)
        view.futures.values.push_back(view.mean[o * each + k] + 0.05 * static_cast<double>(j + 1));
    }
  return view;
}

// Places of the thin lines of futures among the shapes.
std::vector<std::size_t> futures_of(const Drawing& drawing) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < drawing.shapes().size(); ++i) {
    const Shape& s = drawing.shapes()[i];
    if (s.kind == Shape::Kind::kLine && s.points.size() == 21 && s.width < 1) out.push_back(i);
  }
  return out;
}

TEST(Figure, FuturesAreThinLinesBelowTheMeanPath) {
  const SystemView view = with_futures(circling(2), {0.6, 0.3, 0.01});
  for (const bool over_time : {false, true}) {
    FigureOptions options;
    if (over_time) options.features = {1};
    const Drawing drawing = figure(view, describe(2), options);
    const std::vector<std::size_t> futures = futures_of(drawing);
    ASSERT_EQ(futures.size(), 2U * 3);
    // Of each object the least probable one first, faint but visible.
    const double opacities[] = {0.15, 0.4, 0.8};
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_NEAR(drawing.shapes()[futures[j]].stroke.opacity, opacities[j % 3], 1e-12);
    const auto mean = std::find_if(
        drawing.shapes().begin() + static_cast<std::ptrdiff_t>(futures[2]), drawing.shapes().end(),
        [](const Shape& s) { return s.kind == Shape::Kind::kLine && s.points.size() == 21 && s.width == 1.8; });
    EXPECT_LT(mean - drawing.shapes().begin(), static_cast<std::ptrdiff_t>(futures[3]));
    EXPECT_NE(svg(drawing, "").find(">futures by probability<"), std::string::npos);
    for (const Shape& shape : drawing.shapes())
      for (const Point& p : shape.points)
        EXPECT_TRUE(p.x >= -20 && p.x <= drawing.width() + 20 && p.y >= -20 && p.y <= drawing.height() + 20);
  }
  EXPECT_EQ(svg(figure(circling(2), describe(2), {}), "").find("futures"), std::string::npos);
}

TEST(Figure, KeyBreaksItsLines) {
  FigureOptions options;
  options.features = {0};
  options.names = {"second"};  // a narrow figure
  const Drawing drawing = figure(with_futures(circling(2), {1}), describe(2), options);
  std::vector<const Shape*> words;
  for (const Shape& s : drawing.shapes())
    if (s.kind == Shape::Kind::kText && (s.text == "observations" || s.text == "truth, not shown to the model"))
      words.push_back(&s);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_GT(words[1]->points[0].y, words[0]->points[0].y);
  EXPECT_LT(words[1]->points[0].y, drawing.height());
  EXPECT_LT(words[1]->points[0].x + 5.6 * static_cast<double>(words[1]->text.size()), drawing.width());
}

TEST(Figure, SpaceIsAStripOfPoses) {
  FigureOptions options;
  options.poses = 7;
  const Drawing drawing = figure(circling(3), describe(3), options);
  std::size_t bones = 0, faint = 0;
  for (const Shape& shape : drawing.shapes())
    if (shape.kind == Shape::Kind::kLine && shape.width == 2) {
      ++bones;
      if (shape.stroke.opacity < 1) ++faint;
    }
  EXPECT_EQ(bones, 2U * 7);  // one bone, truth and prediction
  EXPECT_EQ(faint, 2U * 3);  // poses before the start
}

TEST(Figure, NamesAreText) {
  FigureOptions options;
  options.features = {0, 1};
  options.title = "</title><script>";
  const std::string text = svg(figure(circling(2), describe(2), options), options.title);
  EXPECT_NE(text.find("&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(text.find("<b>"), std::string::npos);
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_TRUE(text.ends_with("</svg>\n"));
}

TEST(Figure, FindsWhatPointsUp) {
  EXPECT_EQ(up_axis(circling(3), {0, 1, 2}), 2);
  EXPECT_EQ(up_axis(circling(3), {0, 2, 1}), 1);
}

}  // namespace
}  // namespace lgode::report
