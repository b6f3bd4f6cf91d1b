// Runs side by side: errors, learning curves, and the settings that differ.
import { chart, type Line } from "./chart";
import { seriesColour } from "./colours";
import { el, section, type Child } from "./dom";
import { baseline, error, general, inOrder, percent, value } from "./format";
import { epochsOf, metricOf, metricText, modelName } from "./summary";
import type { CompareReport, Metric, RunReport } from "./types";

type Run = RunReport & { path: string };

// Names that distinguish the runs.
function names(runs: Run[]): string[] {
  const short = runs.map((r) => r.run.name);
  return new Set(short).size === short.length ? short : runs.map((r) => r.path);
}

// The metrics over positions that any run has, each once.
function positionMetrics(runs: Run[]): Metric[] {
  const found = new Map<string, Metric>();
  for (const r of runs) for (const m of r.evaluation?.evaluation.positions?.metrics ?? []) if (!found.has(m.key)) found.set(m.key, m);
  return [...found.values()];
}

function errors(runs: Run[], heads: HTMLElement, metrics: Metric[]): HTMLElement {
  const rows: HTMLElement[] = [];
  const task = (r: Run): string =>
    JSON.stringify([r.evaluation?.task, r.evaluation?.observed, r.evaluation?.data_name, r.evaluation?.split]);
  const comparable = new Set(runs.filter((r) => r.evaluation).map(task)).size === 1;
  const row = (key: string, name: string, cells: (r: Run) => { text: string; raw?: number | null | undefined }, lowest = false): void => {
    const all = runs.map(cells);
    const known = all.map((c) => c.raw).filter((x): x is number => typeof x === "number");
    const best = lowest && comparable && known.length > 1 ? Math.min(...known) : null;
    rows.push(
      el(
        "tr",
        { "data-row": key },
        el("th", { scope: "row" }, name),
        ...all.map((c) => el("td", { class: c.raw === best && best !== null ? "num best" : "num", "data-value": c.raw ?? undefined }, c.text)),
      ),
    );
  };
  const mse = (x: number | null | undefined): { text: string; raw: number | null | undefined } => ({ text: error(x), raw: x });
  row("task", "task", (r) => ({ text: r.evaluation ? `${r.evaluation.task}, ${percent(r.evaluation.observed, 0)}` : "–" }));
  row("data", "data", (r) => ({ text: r.evaluation ? `${r.evaluation.data_name}, ${r.evaluation.split} part` : "–" }));
  row("model", "model", (r) => ({ text: r.evaluation ? modelName(r.evaluation) : "–" }));
  row("state", "trained", (r) => ({ text: `${r.run.state}, ${epochsOf(r.run)}` }));
  row("error", "error × 10⁻²", (r) => mse(r.evaluation?.evaluation.model.mse), true);
  row("unseen", "on unseen targets × 10⁻²", (r) => mse(r.evaluation?.evaluation.model.mse_unseen), true);
  for (const m of metrics) {
    if (m.key === "mse" || m.key === "mse_unseen") continue; // above, with words of their own
    row(m.key, m.name, (r) => {
      const x = r.evaluation ? metricOf(r.evaluation.evaluation.model, m.key) : null;
      return { text: metricText(x, m), raw: x };
    });
  }
  for (const m of positionMetrics(runs))
    row(m.key, m.name, (r) => {
      const positions = r.evaluation?.evaluation.positions;
      const x = r.evaluation ? metricOf(r.evaluation.evaluation.model, m.key) : null;
      const unit = m.unit === "original" && x !== null ? ` ${positions?.unit ?? ""}`.trimEnd() : "";
      return { text: metricText(x, m) + unit, raw: x };
    });
  const classical = [...new Set(runs.flatMap((r) => inOrder(r.evaluation?.evaluation.classical ?? {}).map(([name]) => name)))];
  for (const name of classical) row(name, `${baseline(name)} × 10⁻²`, (r) => mse(r.evaluation?.evaluation.classical[name]?.mse));
  row("paper", "LG-ODE in the paper × 10⁻²", (r) => mse(r.paper?.find((p) => p.row === "LG-ODE")?.mse));
  row("coverage", "in the 90 % intervals", (r) => {
    const c = r.evaluation?.evaluation.intervals?.model.coverage["90"];
    return { text: percent(c), raw: c };
  });
  row("width", "width of 90 %", (r) => {
    const w = r.evaluation?.evaluation.intervals?.model.width["90"];
    return { text: general(w), raw: w };
  });
  return el("div", { class: "scroll" }, el("table", { id: "errors" }, heads, el("tbody", {}, ...rows)));
}

function settings(runs: Run[], heads: HTMLElement): HTMLElement {
  const keys = [...new Set(runs.flatMap((r) => r.settings.map((s) => s.key)))];
  const of = (r: Run, key: string): unknown => r.settings.find((s) => s.key === key)?.value;
  const differs = (key: string): boolean => new Set(runs.map((r) => JSON.stringify(of(r, key)))).size > 1;
  const row = (key: string): HTMLElement =>
    el(
      "tr",
      { class: differs(key) ? "differs" : "", "data-key": key },
      el("th", { scope: "row" }, key),
      ...runs.map((r) => el("td", {}, value(of(r, key)))),
    );
  const different = keys.filter(differs);
  return section(
    "settings",
    "Settings",
    different.length ? `${different.length} of ${keys.length} settings differ; they are highlighted.` : "All settings are the same.",
    el("div", { class: "scroll" }, el("table", { class: "settings" }, heads, el("tbody", {}, ...different.map(row)))),
    el(
      "details",
      {},
      el("summary", {}, `All ${keys.length} settings`),
      el("div", { class: "scroll" }, el("table", { class: "settings", id: "all-settings" }, heads.cloneNode(true), el("tbody", {}, ...keys.map(row)))),
    ),
  );
}

function overlay(runs: Run[], labels: string[], what: "curve" | "horizon"): HTMLElement | null {
  const of = (r: Run): [number, number | null][] =>
    what === "curve"
      ? r.curve.map((e) => [e.epoch, e.validation_mse ?? null])
      : (r.evaluation?.evaluation.model.horizon ?? []).map((b) => [(b.begin + b.end) / 2, b.mse]);
  const x = [...new Set(runs.flatMap((r) => of(r).map(([t]) => t)))].sort((a, b) => a - b);
  if (x.length === 0) return null;
  const lines = runs.map((r, i): Line => {
    const known = new Map(of(r));
    return {
      label: labels[i] ?? "",
      colour: () => seriesColour(i),
      values: x.map((t) => {
        const v = known.get(t);
        return v === undefined ? undefined : v === null ? null : 100 * v;
      }),
      points: x.length < 30,
      ...(i >= 7 ? { dash: [6, 4] } : {}),
    };
  });
  return chart({
    x,
    lines,
    log: true,
    xLabel: what === "curve" ? "epoch" : "time since the start",
    yLabel: "error × 10⁻²",
    label: what === "curve" ? "validation errors by epoch" : "errors over the horizon",
    whole: what === "curve",
  });
}

export function comparison(report: CompareReport): Child[] {
  const runs = report.runs;
  const labels = names(runs);
  const heads = (): HTMLElement =>
    el("thead", {}, el("tr", {}, el("th", {}, ""), ...labels.map((name) => el("th", { scope: "col", class: "num" }, name))));
  const notes = runs.map((r, i) => (r.note ? el("p", { class: "strong" }, `${labels[i]}: not evaluated: ${r.note}`) : null));
  const curve = overlay(runs, labels, "curve");
  const horizon = overlay(runs, labels, "horizon");
  return [
    section("summary", "Errors", "The lowest error is bold where the runs have the same task and data.", notes.some(Boolean) ? el("div", { class: "banner stopped" }, ...notes) : null, errors(runs, heads(), report.metrics ?? [])),
    settings(runs, heads()),
    curve ? section("curves", "Validation error by epoch", "", curve) : null,
    horizon ? section("horizon", "Error over the horizon", "", horizon) : null,
  ];
}
