// The fields of a data set's description and of its features, in the order of files.
#pragma once

#include "lgode/core/fields.h"
#include "lgode/data/dataset.h"

namespace lgode {

template <>
struct Fields<data::Feature> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& f) {
    v.field("name", f.name);
    v.field("unit", f.unit);
    v.field("scale_group", f.scale_group);
    v.field("velocity_of", f.velocity_of);
    v.sparse("derived", f.derived, f.derived);
  }
};

// kListed is not stored: without a rule, the relations are in the arrays.
template <>
struct Fields<data::EdgeRule> {
  using Kind = data::EdgeRule::Kind;
  static constexpr std::pair<Kind, const char*> kNames[] = {
      {Kind::kAll, "all"}, {Kind::kNearest, "k-nearest"}, {Kind::kWithin, "within"}};

  template <class Visitor, class T>
  static void visit(Visitor& v, T& rule) {
    v.named("rule", rule.kind, kNames);
    if (rule.kind == Kind::kNearest) v.field("neighbours", rule.neighbours);
    if (rule.kind == Kind::kWithin) v.field("radius", rule.radius);
    if (rule.kind != Kind::kAll) v.field("positions", rule.positions);
  }
};

template <>
struct Fields<data::FrameWindows> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& f) {
    v.field("seen", f.seen);
    v.field("asked", f.asked);
    v.field("step", f.step);
    v.sparse("all_present", f.all_present, f.all_present);
    v.sparse("min_objects", f.min_objects, f.min_objects > 1);
  }
};

template <>
struct Fields<data::Description> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& d) {
    v.field("name", d.name);
    v.field("source", d.source);
    v.field("time_unit", d.time_unit);
    v.field("features", d.features);
    v.field("relation_types", d.relation_types);
    v.field("time_scale", d.time_scale);
    v.field("conditioning_length", d.conditioning_length);
    v.field("max_length", d.max_length);
    v.field("min_length", d.min_length);
    v.field("system_ids", d.system_ids);
    v.field("object_ids", d.object_ids);
    v.sparse("columns", d.columns, !d.columns.empty());
    v.sparse("header", d.header, !d.header.empty());
    v.sparse("missing", d.missing, !d.missing.empty());
    v.group("delimiter", !d.delimiter.empty(), [&] {
      v.field("delimiter", d.delimiter);
      v.field("decimal_comma", d.decimal_comma);
    });
    v.sparse("rows_left_out", d.rows_left_out, d.rows_left_out >= 0);
    v.sparse("recordings", d.recordings, !d.recordings.empty());
    v.group("time_format", !d.time_format.empty(), [&] {
      v.field("time_origin", d.time_origin);
      v.field("time_format", d.time_format);
    });
    v.sparse("rate", d.rate, d.rate > 0);
    v.sparse("window", d.window, d.window >= 0);
    v.sparse("every", d.every, d.every > 0);
    v.sparse("frames", d.frames, static_cast<bool>(d.frames));
    v.sparse("edge_columns", d.edge_columns, !d.edge_columns.empty());
    v.sparse("undirected", d.undirected, d.undirected);
    v.sparse("edges", d.edges, d.edges.kind != data::EdgeRule::Kind::kListed);
  }
};

}  // namespace lgode
