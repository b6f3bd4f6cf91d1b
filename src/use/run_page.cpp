// Evaluates a run, predicts the systems to show, and puts as much of them into a page as fits; and runs side by side.
#include "lgode/use/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/measured_features.h"
#include "lgode/report/page.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/use/evaluate.h"
#include "lgode/use/evaluation_record.h"
#include "lgode/use/format.h"
#include "lgode/use/parts.h"
#include "lgode/use/task_names.h"
#include "lgode/use/views.h"

namespace lgode::use {
namespace {

using nlohmann::ordered_json;
using report::SystemView;

constexpr std::size_t kMostBars = 64;  // objects that are told apart in a chart
constexpr std::int64_t kTimes = 121;   // of a path; strides of 2, 3 and 4 also end with the last one
constexpr std::int64_t kFutures = 6;   // of an object: those that a reader can tell apart

// How much of the chosen systems goes into the page.
struct Amount {
  std::size_t stride = 1;  // of the times
  std::int64_t systems = 0;
  std::int64_t objects = 1 << 30;  // of a system
  std::int64_t relations = 20'000;
  std::size_t observations = 4000;  // of an object
  std::int64_t futures = kFutures;  // of an object
};

SystemView thinned(const SystemView& whole, const Amount& amount) {
  SystemView view = report::with_fewer_relations(report::with_fewer_objects(whole, amount.objects), amount.relations);
  view = report::with_fewer_futures(view, amount.futures);
  const auto width = static_cast<std::size_t>(view.features());
  for (report::ObjectView& object : view.objects) {
    const std::size_t count = object.times.size(), step = (count + amount.observations - 1) / amount.observations;
    if (step < 2) continue;
    report::ObjectView fewer{.id = object.id, .mse = object.mse, .times = {}, .values = {}, .seen = {}, .asked = {}};
    const std::size_t each = object.values.size() / count;
    for (std::size_t k = 0; k < count; k += step) {
      fewer.times.push_back(object.times[k]);
      fewer.seen.push_back(object.seen[k]);
      fewer.asked.push_back(object.asked[k]);
      fewer.values.insert(fewer.values.end(), object.values.begin() + static_cast<std::ptrdiff_t>(k * each),
                          object.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * each));
    }
    object = std::move(fewer);
  }
  if (amount.stride < 2 || view.times.empty()) return view;
  const std::size_t times = view.times.size();
  std::vector<double> kept;
  for (std::size_t k = 0; k < times; k += amount.stride) kept.push_back(view.times[k]);
  for (std::vector<double>* values : {&view.mean, &view.low, &view.high, &view.futures.values}) {
    std::vector<double> fewer;
    for (std::size_t path = 0; path < values->size() / (times * std::max<std::size_t>(width, 1)); ++path)
      for (std::size_t k = 0; k < times; k += amount.stride)
        fewer.insert(fewer.end(), values->begin() + static_cast<std::ptrdiff_t>((path * times + k) * width),
                     values->begin() + static_cast<std::ptrdiff_t>((path * times + k + 1) * width));
    *values = std::move(fewer);
  }
  view.times = std::move(kept);
  return view;
}

// Best, median and worst first, then the most surprising one and evenly spaced ones; in the order of their errors.
std::vector<std::size_t> kept_systems(const std::vector<SystemView>& views, std::int64_t most) {
  std::set<std::size_t> kept;
  const auto full = [&] { return static_cast<std::int64_t>(kept.size()) >= most; };
  for (const char* rank : {"best", "worst", "median"})
    for (std::size_t i = 0; i < views.size(); ++i)
      if (views[i].rank == rank && !full()) kept.insert(i);
  const auto surprising = std::max_element(views.begin(), views.end(), [](const SystemView& a, const SystemView& b) {
    return std::isnan(a.surprise) ? !std::isnan(b.surprise) : a.surprise < b.surprise;
  });
  if (surprising != views.end() && !std::isnan(surprising->surprise) && !full())
    kept.insert(static_cast<std::size_t>(surprising - views.begin()));
  for (const std::int64_t i : report::spread_places(static_cast<std::int64_t>(views.size()), most))
    if (!full()) kept.insert(static_cast<std::size_t>(i));
  for (std::size_t i = 0; i < views.size() && !full(); ++i) kept.insert(i);
  return {kept.begin(), kept.end()};
}

// From everything to little, what hurts least first.
std::vector<Amount> amounts(std::int64_t systems) {
  const auto few = [&](std::int64_t n) { return std::min(n, systems); };
  std::vector<Amount> list = {{1, systems}, {2, systems}, {2, few(8)}, {3, few(6)}, {4, few(6)}, {4, few(3)}};
  for (const std::int64_t objects : {1000, 500, 250, 100}) list.push_back({4, few(3), objects, objects * 4, 1000});
  list.push_back({4, few(1), 50, 200, 200});
  for (Amount& amount : std::span(list).subspan(2)) amount.futures = kFutures / 2;
  return list;
}

// Adds what `amount` omits from the views.
void add_omitted(ordered_json& left_out, const std::vector<SystemView>& all, const std::vector<SystemView>& shown,
                 const Amount& amount) {
  if (shown.size() < all.size())
    left_out.push_back(fmt::format("{} of the {} that were asked for, to keep the size of the page",
                                   format_plural(static_cast<std::int64_t>(all.size() - shown.size()), "system"),
                                   all.size()));
  if (amount.stride > 1)
    left_out.push_back(fmt::format("times of the paths: {} instead of {}", (kTimes - 1) / amount.stride + 1, kTimes));
  std::int64_t objects = 0, relations = 0, futures = 0, known = 0;
  for (const SystemView& view : shown) {
    futures = std::max(futures, view.futures.count), known = std::max(known, view.futures.total);
    objects += view.objects_total - static_cast<std::int64_t>(view.objects.size());
    relations += view.relations_total - static_cast<std::int64_t>(view.relations.size());
  }
  if (objects > 0) left_out.push_back(fmt::format("{} of the shown systems", format_plural(objects, "object")));
  if (relations > 0) left_out.push_back(fmt::format("{} between the objects", format_plural(relations, "relation")));
  if (futures < known)
    left_out.push_back(fmt::format("futures of each object: the {} most probable of {}", futures, known));
  std::size_t longest = 0;
  for (const SystemView& view : all)
    for (const report::ObjectView& object : view.objects) longest = std::max(longest, object.times.size());
  if (longest > amount.observations)
    left_out.push_back(fmt::format("observations of objects with more than {}: some, evenly spaced",
                                   format_count(static_cast<std::int64_t>(amount.observations))));
}

// Adds as much of the systems as fits.
void add_systems(ordered_json& data, const std::vector<SystemView>& views, const std::vector<int>& features,
                 std::int64_t most_bytes) {
  const std::size_t base = report::page("", data).size();
  const std::vector<Amount> list = amounts(static_cast<std::int64_t>(views.size()));
  for (const Amount& amount : list) {
    ordered_json systems = ordered_json::array();
    std::vector<SystemView> shown;
    for (const std::size_t i : kept_systems(views, amount.systems)) shown.push_back(thinned(views[i], amount));
    for (const SystemView& view : shown) systems.push_back(report::system_json(view, features));
    // A little room for the words on what is omitted.
    const bool fits = base + report::script_json(systems).size() + 2000 < static_cast<std::size_t>(most_bytes);
    if (!fits && &amount != &list.back()) continue;
    add_omitted(data["left_out"], views, shown, amount);
    data["systems"] = systems;
    return;
  }
}

// The errors of objects: by name, where names come again in other systems or are few, else as a distribution.
ordered_json objects_json(const ObjectErrors& errors, const data::Dataset& dataset) {
  std::map<std::string, std::pair<double, std::int64_t>> named;  // sum, count
  std::vector<std::string> order;
  std::vector<double> all;
  for (const auto& [system, objects] : errors.objects())
    for (const auto& [object, error] : objects) {
      const std::string id = dataset.object_id(system, object);
      auto [entry, fresh] = named.try_emplace(id, 0.0, 0);
      if (fresh && order.size() <= kMostBars) order.push_back(id);
      entry->second.first += error, ++entry->second.second;
      if (std::isfinite(error)) all.push_back(error);
    }
  const auto systems = static_cast<std::int64_t>(errors.objects().size());
  ordered_json rows = ordered_json::array();
  if (named.size() <= kMostBars && (systems == 1 || all.size() > named.size())) {
    for (const std::string& id : order)
      rows.push_back({{"id", id},
                      {"mse", json_number<ordered_json>(named[id].first / static_cast<double>(named[id].second))},
                      {"systems", named[id].second}});
    return {{"by", "name"}, {"rows", rows}};
  }
  std::sort(all.begin(), all.end());
  constexpr std::array kQuantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  constexpr int kBins = 24;
  ordered_json quantiles = ordered_json::array(), counts = ordered_json::array();
  for (const double q : kQuantiles)
    quantiles.push_back(all.empty() ? ordered_json()
                                    : json_number<ordered_json>(
                                          all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1))]));
  const auto positive = std::find_if(all.begin(), all.end(), [](double x) { return x > 0; });
  if (positive == all.end()) return {{"by", "none"}, {"count", all.size()}};
  const double low = std::log10(*positive), high = std::max(std::log10(all.back()), low + 1e-3);
  std::vector<std::int64_t> bins(kBins, 0);
  for (const double error : all) {
    const double at = error > 0 ? (std::log10(error) - low) / (high - low) * kBins : 0.0;
    ++bins[static_cast<std::size_t>(std::clamp(at, 0.0, kBins - 1.0))];
  }
  return {{"by", "error"}, {"count", all.size()}, {"low", low},
          {"high", high},  {"counts", bins},      {"quantiles", quantiles}};
}

ordered_json paper_json(const EvaluatedRun& run) {
  ordered_json out = ordered_json::array();
  const double percent = 100 * run.info.task.observed;
  if (std::abs(percent - std::round(percent)) > 1e-7) return out;
  const reproduce::PaperRow* own =
      reproduce::find_row(model::model_name(run.info.model.kind), model::variant_name(run.info.model.variant));
  for (const reproduce::PaperRow& row : reproduce::kRows) {
    if (row.name != "lg-ode" && &row != own) continue;
    const auto error = reproduce::paper_error(task_name(run.info.task.task), run.data_name,
                                              static_cast<int>(std::lround(percent)), row.name);
    if (error) out.push_back({{"row", row.shown}, {"mse", 0.01 * *error}});
  }
  return out;
}

// The evaluation of the part that pages show.
EvaluatedRun evaluate_for_page(const std::string& name, const eval::Run& run, const std::string& data_path,
                               const data::Dataset& dataset, eval::EvaluateOptions options,
                               const std::function<void(const Messages&)>& on_messages,
                               const eval::EvaluateProgress& progress, const StopFlag* stop) {
  const std::string split = shown_split(run.info, dataset);
  EvaluatedRun evaluated = evaluated_run(name, run, data_path, dataset, split,
                                         evaluate_part(run, dataset, split, std::move(options), progress, stop));
  if (on_messages) on_messages(calibration_messages(run, dataset, evaluated.evaluation));
  return evaluated;
}

// The systems to show, with their places among all, in the order of their errors.
std::vector<SystemView> ranked_views(const eval::Run& run, const data::Dataset& dataset, const std::string& split,
                                     const ObjectErrors& errors, std::int64_t most, const StopFlag* stop) {
  const auto ranked = errors.systems();
  const auto count = static_cast<std::int64_t>(ranked.size());
  std::vector<double> surprises;  // by place
  for (const auto& [error, system] : ranked) surprises.push_back(errors.surprise(system));
  std::vector<std::int64_t> places = report::shown_places(surprises, most), systems;
  for (const std::int64_t place : places) systems.push_back(ranked[static_cast<std::size_t>(place)].second);
  const data::View view = view_of(run.info, split);
  std::vector<SystemView> views =
      view_systems(run, dataset, systems, {.view = view, .times = kTimes, .futures = kFutures}, stop);
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].place = places[i] + 1, views[i].of = count;
    views[i].rank = report::rank_of(places[i], count);
    views[i].part = split;
    views[i].mse = ranked[static_cast<std::size_t>(places[i])].first;
    views[i].surprise = surprises[static_cast<std::size_t>(places[i])];
    for (const auto& [object, error] : errors.objects().at(views[i].system))
      views[i].objects[static_cast<std::size_t>(object)].mse = error;
  }
  return views;
}

// The errors of all systems, and how many of them the page does not show.
void add_system_errors(ordered_json& data, const ObjectErrors& errors, std::size_t shown, const std::string& split) {
  constexpr std::size_t kMostErrors = 5000;
  const auto ranked = errors.systems();
  data["system_errors"] = ordered_json::array();
  if (ranked.size() <= kMostErrors)
    for (const auto& [error, system] : ranked) data["system_errors"].push_back(json_number<ordered_json>(error));
  if (ranked.size() > shown)
    data["left_out"].push_back(fmt::format("{} of the {} of the {} part: {} are shown",
                                           format_plural(static_cast<std::int64_t>(ranked.size() - shown), "system"),
                                           format_count(static_cast<std::int64_t>(ranked.size())), split, shown));
}

}  // namespace

EvaluatedRun evaluate_shown(const std::string& name, const eval::Run& run, const std::string& data_path,
                            const data::Dataset& dataset, const RunPageOptions& options, const StopFlag* stop) {
  eval::EvaluateOptions evaluate;
  evaluate.allow_mismatch = options.allow_mismatch;
  return evaluate_for_page(
      name, run, data_path, dataset, evaluate, options.on_messages,
      [&](std::int64_t done, std::int64_t total) {
        if (options.progress) options.progress("evaluating", done, total);
      },
      stop);
}

RunPage write_run_page(const std::filesystem::path& path, const std::string& name, const eval::Run& run,
                       const std::string& data_path, const data::Dataset& dataset, const RunPageOptions& options,
                       const StopFlag* stop) {
  const report::RunRecord record = report::read_run(name);
  const auto progress = [&](const std::string& what, std::int64_t done, std::int64_t total) {
    if (options.progress) options.progress(what, done, total);
  };
  ObjectErrors errors(run.info.normalisation, eval::error_features(eval::batch_maker(run.info, dataset)));
  eval::EvaluateOptions evaluate;
  evaluate.allow_mismatch = options.allow_mismatch;
  evaluate.observe = [&](const data::Batch& batch, const eval::PredictedPaths& predicted) {
    errors.add(batch, predicted);
  };
  EvaluatedRun evaluated = evaluate_for_page(
      name, run, data_path, dataset, evaluate, options.on_messages,
      [&](std::int64_t done, std::int64_t total) { progress("evaluating", done, total); }, stop);
  ordered_json data = report::record_json(record);
  data["data"] = report::data_json(dataset, data_path);
  data["evaluation"] = evaluation_json(evaluated);
  data["metrics"] = metrics_json();
  data["paper"] = paper_json(evaluated);
  progress("predicting", 0, 0);
  const std::vector<SystemView> views = ranked_views(run, dataset, evaluated.split, errors, options.systems, stop);
  add_system_errors(data, errors, views.size(), evaluated.split);
  data["objects"] = objects_json(errors, dataset);
  add_systems(data, views, data::measured_features<int>(dataset.description()), options.most_bytes);
  return {report::write_page(path, fmt::format("{}: report", record.name), data), std::move(evaluated)};
}

namespace {

// The evaluation of a run, or why there is none.
struct Result {
  ordered_json evaluation, paper;
  std::string note;
};

class Comparison {
 public:
  Comparison(const ops::Context& context, const ComparisonOptions& options, const StopFlag* stop)
      : context_(context), options_(options), stop_(stop) {}

  Result evaluate(const std::string& path, const report::RunRecord& record) {
    if (!record.has_weights) return {{}, {}, "no weights yet"};
    const std::string data = options_.data.empty() ? record.config.value("data", std::string()) : options_.data;
    if (options_.data.empty() && !std::filesystem::exists(data))
      return {{}, {}, fmt::format("its data set {} is absent", data)};
    try {
      if (!sets_.contains(data)) sets_.emplace(data, data::load_dataset(data));
      const data::Dataset& dataset = sets_.at(data);
      const eval::Run run = eval::load_run(path, context_);
      eval::check_fits(run.info, dataset, {.allow_mismatch = options_.allow_mismatch});
      eval::EvaluateOptions evaluate;
      evaluate.allow_mismatch = options_.allow_mismatch;
      const auto about_run = [&](Messages messages) {
        for (Message& message : messages) message.text = fmt::format("{}: {}", path, message.text);
        if (options_.on_messages) options_.on_messages(messages);
      };
      const EvaluatedRun result = evaluate_for_page(
          path, run, data, dataset, evaluate, about_run,
          [&](std::int64_t done, std::int64_t total) {
            if (options_.progress) options_.progress("evaluating " + path, done, total);
          },
          stop_);
      return {evaluation_json(result), paper_json(result), {}};
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      return {{}, {}, error.what()};
    }
  }

 private:
  const ops::Context& context_;
  const ComparisonOptions& options_;
  const StopFlag* stop_;
  std::map<std::string, data::Dataset> sets_;
};

}  // namespace

report::WrittenPage write_comparison(const std::filesystem::path& path, const std::vector<std::string>& runs,
                                     const ops::Context& context, const ComparisonOptions& options,
                                     const StopFlag* stop) {
  if (runs.size() < 2) throw ConfigError("a comparison needs two runs or more");
  Comparison comparison(context, options, stop);
  ordered_json list = ordered_json::array();
  for (const std::string& name : runs) {
    const report::RunRecord record = report::read_run(name);
    ordered_json run = report::record_json(record);
    Result result = comparison.evaluate(name, record);
    run["path"] = name;
    run["evaluation"] = std::move(result.evaluation);
    run["paper"] = std::move(result.paper);
    run["note"] = result.note;
    if (!result.note.empty() && options.on_messages)
      options.on_messages({{Message::Kind::kWarning, fmt::format("{}: not evaluated: {}", name, result.note)}});
    list.push_back(std::move(run));
  }
  return report::write_page(path, fmt::format("{} runs of lgode", list.size()),
                            {{"kind", "compare"}, {"metrics", metrics_json()}, {"runs", list}});
}

}  // namespace lgode::use
