// What the run is and how good it is: state, main numbers, errors next to the classical baselines, data and settings.
import { el, section, type Child } from "./dom";
import { baseline, capital, count, error, general, inOrder, isShown, percent, plural, value } from "./format";
import type { Evaluation, Metric, RunReport, RunState, Scores, Setting } from "./types";

// "12 of 30 epochs"; without a limit "12 epochs".
export function epochsOf(run: RunState): string {
  return run.epochs_planned === null ? plural(run.epochs_done, "epoch") : `${run.epochs_done} of ${plural(run.epochs_planned, "epoch")}`;
}

export function banner(report: RunReport): HTMLElement | null {
  const run = report.run;
  const so_far = epochsOf(run);
  const texts: Record<string, string> = {
    stopped: `This run was stopped after ${so_far}; lgode train --resume continues it.`,
    training: `This run was still training when the page was written: ${so_far} were done.`,
    failed: `This run failed after ${so_far}.`,
  };
  const text = texts[run.state];
  const note = report.note ? el("p", {}, report.note) : null;
  if (!text && !note) return null;
  return el(
    "div",
    { class: `banner ${run.state}`, role: "status", id: "state" },
    text ? el("p", { class: "strong" }, text) : null,
    run.failure ? el("p", { class: "mono" }, run.failure) : null,
    note,
  );
}

export function modelName(e: { model: string; variant: string }): string {
  return e.variant === "full" ? e.model : `${e.model} ${e.variant}`;
}

function card(id: string, label: string, big: Child, small: string, raw?: number | null): HTMLElement {
  return el(
    "div",
    { class: "card", id, "data-value": raw ?? undefined },
    el("div", { class: "label" }, label),
    el("div", { class: "big" }, big),
    el("div", { class: "small" }, small),
  );
}

// The lowest error of the classical baselines.
export function bestClassical(e: Evaluation): { name: string; mse: number } | null {
  let best: { name: string; mse: number } | null = null;
  for (const [name, scores] of Object.entries(e.evaluation.classical))
    if (scores.mse !== null && (best === null || scores.mse < best.mse)) best = { name, mse: scores.mse };
  return best;
}

// Whether the model is ahead of the classical methods, and what to try where it is not.
function verdict(e: Evaluation): HTMLElement | null {
  const v = e.verdict;
  if (!v || v.kind === "none") return null;
  return el(
    "div",
    { class: `verdict ${v.kind}`, id: "verdict", "data-kind": v.kind },
    el("p", { class: "strong" }, v.text),
    v.worst ? el("p", {}, v.worst) : null,
    v.advice ? el("p", {}, v.advice) : null,
  );
}

// The unit of the positions.
function distanceUnit(report: RunReport): string {
  return report.data?.features.find((f) => f.position)?.unit ?? "";
}

function cards(report: RunReport, e: Evaluation): HTMLElement {
  const model = e.evaluation.model;
  const best = bestClassical(e);
  const out = el("div", { class: "cards" });
  const hundredths = (x: number | null): DocumentFragment => {
    const piece = document.createDocumentFragment();
    piece.append(error(x), el("span", { class: "unit" }, " × 10⁻²"));
    return piece;
  };
  if (typeof model.distance === "number")
    out.append(
      card(
        "card-distance",
        `${e.split} error`,
        `${general(model.distance)} ${distanceUnit(report)}`.trim(),
        "mean distance of predicted from true positions",
        model.distance,
      ),
    );
  out.append(
    card(
      "card-error",
      typeof model.distance === "number" ? "normalised" : `${e.split} error`,
      hundredths(model.mse),
      `mean squared error, ${plural(model.systems, "system")}, ${plural(model.values, "value")}`,
      model.mse,
    ),
  );
  if (best && model.mse !== null) {
    const better = best.mse > model.mse;
    const ratio = better ? best.mse / model.mse : model.mse / best.mse;
    out.append(
      card(
        "card-classical",
        "against the best classical path",
        `${general(ratio, 3)} ×`,
        `${better ? "lower" : "higher"} than ${baseline(best.name)} (${error(best.mse)})`,
        best.mse,
      ),
    );
  }
  const paper = report.paper?.find((row) => row.row === "LG-ODE") ?? report.paper?.[0];
  if (paper)
    out.append(card("card-paper", `${paper.row} in the paper`, hundredths(paper.mse), "same data set, task and share", paper.mse));
  const intervals = e.evaluation.intervals;
  out.append(
    intervals
      ? card(
          "card-coverage",
          "in the 90 % intervals",
          percent(intervals.model.coverage["90"]),
          e.promise.holds
            ? "as promised, within chance"
            : e.promise.differences?.length
              ? "no promise: the test part is unlike the training part"
              : "the promise of 90 % does not hold here",
          intervals.model.coverage["90"],
        )
      : card("card-coverage", "in the 90 % intervals", "–", "the intervals are not calibrated"),
  );
  return out;
}

// The columns of pages that name none.
const kMetrics: Metric[] = [
  { key: "mse", name: "all targets", unit: "squared" },
  { key: "mse_unseen", name: "unseen", unit: "squared" },
];

// A metric of the scores by its key.
export function metricOf(scores: Scores, key: string): number | null {
  const found = (scores as unknown as Record<string, unknown>)[key];
  return typeof found === "number" ? found : null;
}

function errorTable(report: RunReport, e: Evaluation): HTMLElement {
  interface Row {
    key: string;
    name: string;
    kind: string;
    mse: number | null;
    values: (number | null)[]; // by metric; fewer: the others stay empty
  }
  const metrics = report.metrics ?? kMetrics;
  const model = e.evaluation.model;
  const rowOf = (key: string, name: string, kind: string, s: Scores): Row => ({
    key,
    name,
    kind,
    mse: s.mse,
    values: metrics.map((m) => metricOf(s, m.key)),
  });
  const rows = [rowOf("model", `${modelName(e)} (this run)`, "own", model)];
  for (const [name, s] of inOrder(e.evaluation.classical)) rows.push(rowOf(name, baseline(name), "classical", s));
  for (const p of report.paper ?? [])
    rows.push({ key: `paper-${p.row}`, name: `${p.row} in the paper`, kind: "paper", mse: p.mse, values: [p.mse] });
  const known = rows.map((r) => r.mse).filter((x): x is number => x !== null && x > 0);
  const low = Math.log10(Math.min(...known));
  const high = Math.log10(Math.max(...known));
  const share = (x: number | null): number =>
    x === null || x <= 0 ? 0 : high > low ? 4 + (94 * (Math.log10(x) - low)) / (high - low) : 50;
  const cell = (row: Row, m: Metric, i: number): HTMLElement => {
    const x = row.values[i];
    const text = x === undefined ? "" : metricText(x, m);
    return el("td", { class: i === 0 ? "num" : "num wide", "data-value": x ?? undefined }, text);
  };
  const body = el("tbody");
  for (const row of rows) {
    const mark = el("i", { class: `dot ${row.kind}` });
    mark.style.left = `${share(row.mse)}%`;
    body.append(
      el(
        "tr",
        { class: row.kind, "data-row": row.key },
        el("th", { scope: "row" }, row.name),
        ...metrics.map((m, i) => cell(row, m, i)),
        el("td", { class: "num" }, row.mse !== null && model.mse ? `${general(row.mse / model.mse, 3)} ×` : "–"),
        el("td", { class: "track", "aria-hidden": "true" }, el("div", {}, mark)),
      ),
    );
  }
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { id: "errors" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "error × 10⁻²"),
          ...metrics.map((m, i) => el("th", { scope: "col", class: i === 0 ? "num" : "num wide" }, m.name)),
          el("th", { scope: "col", class: "num" }, "to model"),
          el("th", { scope: "col", class: "track" }, "logarithmic"),
        ),
      ),
      body,
    ),
  );
}

// Errors in the units of the data: mean distance, and the root mean square of each feature.
function unitTable(report: RunReport, e: Evaluation): HTMLElement {
  const model = e.evaluation.model;
  const withDistance = typeof model.distance === "number";
  const named = (name: string, unit: string): string => (unit ? `${name} [${unit}]` : name);
  const head = [
    ...(withDistance ? [named("mean distance", distanceUnit(report))] : []),
    ...model.features.map((f) => named(`RMSE ${f.feature}`, f.unit)),
  ];
  const row = (key: string, name: string, s: Scores): HTMLElement => {
    const values = [...(withDistance ? [s.distance ?? null] : []), ...s.features.map((f) => f.rmse)];
    return el(
      "tr",
      { "data-row": key, class: key === "model" ? "own" : "classical" },
      el("th", { scope: "row" }, name),
      ...values.map((x) => el("td", { class: "num", "data-value": x ?? undefined }, general(x))),
    );
  };
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { id: "units" },
      el(
        "thead",
        {},
        el("tr", {}, el("th", { scope: "col" }, "in units"), ...head.map((h) => el("th", { scope: "col", class: "num" }, h))),
      ),
      el(
        "tbody",
        {},
        row("model", `${modelName(e)} (this run)`, model),
        ...inOrder(e.evaluation.classical).map(([name, s]) => row(name, baseline(name), s)),
      ),
    ),
  );
}

// A number of a metric, as the command prints it.
export function metricText(x: number | null | undefined, m: Metric): string {
  return m.unit === "squared" ? error(x) : m.unit === "share" ? percent(x) : general(x);
}

// Metrics over positions, one row per metric, and what they are measured in; or why there are none.
function positionTable(e: Evaluation): HTMLElement | null {
  const positions = e.evaluation.positions;
  if (!positions) return null;
  const note = positions.note ? el("p", { class: "muted", id: "positions-note" }, `${capital(positions.note.replace(/`/g, ""))}.`) : null;
  if (positions.metrics.length === 0) return note;
  const methods: [string, string, Scores][] = [
    ["model", `${modelName(e)} (this run)`, e.evaluation.model],
    ...inOrder(e.evaluation.classical)
      .filter(([name]) => isShown(e, name))
      .map(([name, s]): [string, string, Scores] => [name, baseline(name), s]),
  ];
  const unit = (m: Metric): string => (m.unit === "original" ? (positions.unit ?? "") : m.unit === "nats" ? "nats" : "");
  const rows = positions.metrics.map((m) =>
    el(
      "tr",
      { "data-row": m.key },
      el("th", { scope: "row" }, unit(m) ? `${m.name} [${unit(m)}]` : m.name),
      ...methods.map(([key, , s]) => {
        const x = metricOf(s, m.key);
        return el("td", { class: "num", "data-method": key, "data-value": x ?? undefined }, metricText(x, m));
      }),
    ),
  );
  const limit = (x: number | undefined): string => `${general(x)} ${positions.unit ?? ""}`.trim();
  return el(
    "div",
    {},
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        { id: "positions" },
        el(
          "thead",
          {},
          el("tr", {}, el("th", { scope: "col" }, "positions"), ...methods.map(([, name]) => el("th", { scope: "col", class: "num" }, name))),
        ),
        el("tbody", {}, ...rows),
      ),
    ),
    el(
      "p",
      { class: "muted" },
      `A miss is a final error above ${limit(positions.miss_distance)}, a collision two predicted centres nearer than ${limit(positions.collision_distance)}.`,
    ),
    note,
  );
}

function facts(rows: [string, string][]): HTMLElement {
  const list = el("dl", { class: "facts" });
  for (const [name, text] of rows) if (text) list.append(el("div", {}, el("dt", {}, name), el("dd", {}, text)));
  return list;
}

function dataFacts(report: RunReport): HTMLElement | null {
  const d = report.data;
  if (!d) return null;
  const objects =
    d.fewest_objects === d.most_objects ? count(d.most_objects) : `${count(d.fewest_objects)} to ${count(d.most_objects)}`;
  return facts([
    ["data set", d.name],
    ["file", d.path],
    ["made by", d.source],
    ["systems", `${count(d.train_systems)} training, ${count(d.test_systems)} test`],
    ["objects per system", objects],
    ["observations", count(d.observations)],
    ["features", d.features.map((f) => (f.unit ? `${f.name} [${f.unit}]` : f.name)).join(", ")],
    ["relations", `${d.relation_types.join(", ")}${d.relations === "listed" ? "" : ` (${d.relations})`}`],
    ["time unit", d.time_unit],
  ]);
}

function runFacts(report: RunReport): HTMLElement {
  const e = report.evaluation;
  const get = (key: string): string => value(report.settings.find((s) => s.key === key)?.value);
  return facts([
    ["task", `${get("task")}, ${percent(Number(report.settings.find((s) => s.key === "observed")?.value), 0)} observed`],
    ["model", e ? modelName(e) : get("model")],
    ["protocol, seed", `${get("protocol")}, ${get("seed")}`],
    ["trained", `${epochsOf(report.run)}, ${plural(report.run.steps, "step")}`],
    ["weights of epoch", e ? String(e.epochs) : ""],
    ["made by", e ? `lgode ${e.version} (${e.commit})` : ""],
    ["on", e ? e.machine : ""],
  ]);
}

export function settingsTable(settings: Setting[]): HTMLElement {
  const changed = settings.filter((s) => s.changed);
  const row = (s: Setting): HTMLElement =>
    el(
      "tr",
      { class: s.changed ? "changed" : "", title: s.help ?? "" },
      el("th", { scope: "row" }, s.key),
      el("td", {}, value(s.value)),
      el("td", { class: "muted" }, s.changed ? `default ${value(s.default)}` : ""),
    );
  const groups = [...new Set(settings.map((s) => s.group))];
  const all = el("table", { class: "settings" });
  for (const group of groups) {
    if (group) all.append(el("thead", {}, el("tr", {}, el("th", { colspan: 3, scope: "colgroup" }, group))));
    const body = el("tbody");
    for (const s of settings.filter((x) => x.group === group)) body.append(row(s));
    all.append(body);
  }
  const chips = el("ul", { class: "chips" });
  for (const s of changed)
    chips.append(
      el(
        "li",
        { title: `${s.help ?? ""} (default ${value(s.default)})` },
        el("span", { class: "muted" }, s.key),
        " ",
        el("b", {}, value(s.value)),
      ),
    );
  return el(
    "div",
    {},
    el("h3", {}, "Settings that differ from the defaults"),
    changed.length ? chips : el("p", { class: "muted" }, "none"),
    el("details", {}, el("summary", {}, `All ${settings.length} settings`), all),
  );
}

export function summary(report: RunReport): HTMLElement {
  const e = report.evaluation;
  return section(
    "summary",
    "Summary",
    "",
    banner(report),
    e ? verdict(e) : null,
    e ? cards(report, e) : null,
    e ? unitTable(report, e) : null,
    e ? positionTable(e) : null,
    e ? errorTable(report, e) : null,
    el(
      "div",
      { class: "columns" },
      el("div", {}, el("h3", {}, "Run"), runFacts(report)),
      el("div", {}, report.data ? el("h3", {}, "Data") : null, dataFacts(report)),
    ),
    settingsTable(report.settings),
  );
}
