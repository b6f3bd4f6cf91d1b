// Charts of a run: learning curves, error over the horizon, calibration of the intervals, errors of objects.
import { chart, responsive, type Line } from "./chart";
import { onTheme, seriesColour, theme } from "./colours";
import { el, section, svg, type Child } from "./dom";
import { baseline, count, error, general, inOrder, isShown, percent } from "./format";
import type { Bin, IntervalScores, ObjectErrors, RunReport } from "./types";

export function curves(report: RunReport): HTMLElement | null {
  const lines = report.curve;
  if (lines.length === 0)
    return section("curves", "Learning curves", "", el("p", { class: "muted" }, "No epoch was finished."));
  const x = lines.map((line) => line.epoch);
  const of = (key: "validation_mse" | "train_mse"): (number | null)[] =>
    lines.map((line) => (line[key] === null || line[key] === undefined ? null : 100 * line[key]));
  const best = lines.filter((line) => line.best).pop();
  const parts: Line[] = [
    { label: "training", colour: () => seriesColour(4), values: of("train_mse"), points: x.length < 30 },
    { label: "validation", colour: () => seriesColour(0), values: of("validation_mse"), points: x.length < 30 },
  ].filter((line) => line.values.some((v) => v !== null));
  const rate = lines.map((line) => line.lr ?? null);
  return section(
    "curves",
    "Learning curves",
    best && best.validation_mse
      ? `The weights of epoch ${best.epoch} were kept, by the validation part: the error there is ${error(best.validation_mse)} × 10⁻². Both curves show the mean squared error of the same weights.`
      : "",
    el(
      "div",
      { class: "charts" },
      parts.length
        ? chart({ x, lines: parts, log: true, xLabel: "epoch", yLabel: "error × 10⁻²", label: "errors by epoch", whole: true })
        : null,
      rate.some((v) => v !== null)
        ? chart({
            x,
            lines: [{ label: "learning rate", colour: () => seriesColour(2), values: rate, points: x.length < 30 }],
            xLabel: "epoch",
            yLabel: "learning rate",
            label: "learning rate by epoch",
            whole: true,
          })
        : null,
    ),
  );
}


export function horizon(report: RunReport): HTMLElement | null {
  const e = report.evaluation;
  if (!e) return null;
  const bins = e.evaluation.model.horizon;
  const middle = bins.map((b) => (b.begin + b.end) / 2);
  const linesOf = (value: (bin: Bin) => number | null | undefined): Line[] => {
    const values = (list: Bin[]): (number | null)[] =>
      bins.map((_, i) => {
        const bin = list[i];
        return (bin && value(bin)) ?? null;
      });
    const lines: Line[] = [{ label: "model", colour: () => seriesColour(0), values: values(bins), width: 3, points: true }];
    let at = 1;
    for (const [name, scores] of inOrder(e.evaluation.classical)) {
      if (!isShown(e, name)) continue;
      const colour = at++;
      lines.push({
        label: baseline(name),
        colour: () => seriesColour(colour),
        values: values(scores.horizon),
        width: 1.5,
        dash: [5, 4],
      });
    }
    return lines;
  };
  const lines = linesOf((b) => (b.mse === null ? null : 100 * b.mse));
  const distances = linesOf((b) => b.ade);
  const positions = e.evaluation.positions;
  const best = positions?.metrics.find((m) => m.key === "min_ade");
  if (best)
    distances.push({
      label: `model, best of ${positions?.futures ?? 0} futures (${best.name})`,
      colour: () => seriesColour(0),
      values: bins.map((b) => b.min_ade ?? null),
      width: 2,
      dash: [2, 3],
      points: true,
    });
  const unit = report.data?.time_unit;
  const xLabel = `time since the start${unit ? ` (${unit})` : ""}`;
  const held = e.evaluation.intervals?.model.horizon;
  return section(
    "horizon",
    "Error over the horizon",
    e.task === "extrapolate" ? "How the error grows with the distance from the last observation." : "The error along the range.",
    el(
      "div",
      { class: "charts" },
      chart({ x: middle, lines, log: true, xLabel, yLabel: "error × 10⁻²", label: "error over the horizon" }),
      bins.some((b) => typeof b.ade === "number")
        ? chart({
            x: middle,
            lines: distances,
            log: true,
            xLabel,
            yLabel: `ADE${positions?.unit ? ` (${positions.unit})` : ""}`,
            label: "mean distance of positions over the horizon",
          })
        : null,
      held && held.some((b) => b.values > 0)
        ? chart({
            x: held.map((b) => (b.begin + b.end) / 2),
            lines: [
              {
                label: "in the 90 % intervals",
                colour: () => seriesColour(0),
                values: held.map((b) => (b.coverage["90"] === null || b.coverage["90"] === undefined ? null : 100 * b.coverage["90"])),
                width: 3,
                points: true,
              },
              { label: "promised", colour: () => theme().muted, values: held.map(() => 90), dash: [2, 4], width: 1.5 },
            ],
            xLabel,
            yLabel: "%",
            label: "coverage over the horizon",
          })
        : null,
    ),
  );
}

const kLevels = ["50", "80", "90"];

function calibrationChart(model: IntervalScores, classical: [string, IntervalScores][]): HTMLElement {
  const place = el("div", { class: "chart" });
  responsive(place, (width) => {
    const t = theme();
    const height = 300;
    const left = 48;
    const side = Math.min(width - left - 16, 420);
    const x = (p: number): number => left + p * side;
    const y = (p: number): number => 10 + (1 - p) * (height - 56);
    const picture = svg("svg", { width, height, role: "img", "aria-label": "promised and actual shares" });
    for (const p of [0, 0.25, 0.5, 0.75, 1]) {
      picture.append(
        svg("line", { x1: x(0), x2: x(1), y1: y(p), y2: y(p), stroke: t.grid }),
        svg("line", { x1: x(p), x2: x(p), y1: y(0), y2: y(1), stroke: t.grid }),
        svg("text", { x: x(0) - 8, y: y(p) + 4, "text-anchor": "end", class: "tick" }, percent(p, 0)),
        svg("text", { x: x(p), y: y(0) + 18, "text-anchor": "middle", class: "tick" }, percent(p, 0)),
      );
    }
    picture.append(
      svg("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), stroke: t.muted, "stroke-dasharray": "4 4" }),
      svg("text", { x: x(0.5), y: height - 6, "text-anchor": "middle", class: "tick" }, "promised share"),
    );
    const line = (scores: IntervalScores, colour: string, strong: boolean, name: string): void => {
      const points = kLevels.map((l): [number, number | null | undefined] => [Number(l) / 100, scores.coverage[l]]);
      const known = points.filter((p): p is [number, number] => typeof p[1] === "number");
      picture.append(
        svg("polyline", {
          points: known.map(([p, c]) => `${x(p)},${y(c)}`).join(" "),
          fill: "none",
          stroke: colour,
          "stroke-width": strong ? 2.5 : 1.2,
          "stroke-dasharray": strong ? null : "5 4",
        }),
      );
      for (const [p, c] of known)
        picture.append(
          svg(
            "circle",
            { cx: x(p), cy: y(c), r: strong ? 5 : 3, fill: colour },
            svg("title", {}, `${name}: ${percent(c)} of the values are in the ${percent(p, 0)} intervals`),
          ),
        );
    };
    classical.forEach(([name, scores], i) => line(scores, seriesColour(i + 1), false, baseline(name)));
    line(model, seriesColour(0), true, "model");
    place.replaceChildren(picture);
  });
  return el("figure", { class: "plot" }, place);
}

export function calibration(report: RunReport): HTMLElement | null {
  const e = report.evaluation;
  if (!e) return null;
  const intervals = e.evaluation.intervals;
  if (!intervals)
    return section(
      "calibration",
      "Calibration of the intervals",
      "",
      el("p", {}, "The intervals of this run are not calibrated; lgode calibrate fits them to data that was not trained on."),
    );
  const shown = inOrder(intervals.classical).filter(([name]) => isShown(e, name));
  const row = (key: string, name: string, s: IntervalScores, index: number): HTMLElement => {
    const swatch = el("i", { class: index === 0 ? "swatch" : "swatch dashed" });
    swatch.style.color = seriesColour(index);
    onTheme(() => (swatch.style.color = seriesColour(index)));
    return el(
      "tr",
      { "data-row": key, class: index === 0 ? "own" : "" },
      el("th", { scope: "row" }, swatch, name),
      ...kLevels.map((l) =>
        el("td", { class: "num", "data-level": l, "data-value": s.coverage[l] ?? undefined }, percent(s.coverage[l])),
      ),
      el("td", { class: "num", "data-value": s.width["90"] ?? undefined }, general(s.width["90"])),
      el("td", { class: "num", "data-value": s.interval_score ?? undefined }, general(s.interval_score)),
    );
  };
  const words: Child[] = [
    e.promise.holds
      ? "The promise holds: as far ahead as the calibration reaches, about 90 % of the values lie in the 90 % intervals."
      : "The promise of 90 % does not hold on this part.",
  ];
  for (const d of e.promise.differences ?? []) words.push(el("span", { class: "block" }, `– ${d}`));
  return section(
    "calibration",
    "Calibration of the intervals",
    "An interval of 90 % should hold 90 % of the values: on the diagonal. A narrower one that does so is better.",
    el(
      "div",
      { class: "charts" },
      calibrationChart(intervals.model, shown),
      el(
        "div",
        { class: "scroll" },
        el(
          "table",
          { id: "coverage" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th", { scope: "col" }, "share in"),
              ...kLevels.map((l) => el("th", { scope: "col", class: "num" }, `${l} %`)),
              el("th", { scope: "col", class: "num" }, "width of 90 %"),
              el("th", { scope: "col", class: "num" }, "score"),
            ),
          ),
          el(
            "tbody",
            {},
            row("model", "model", intervals.model, 0),
            ...shown.map(([name, s], i) => row(name, baseline(name), s, i + 1)),
          ),
        ),
        el("p", { class: "muted" }, ...words),
        el("p", { class: "muted" }, "Widths and interval scores in normalised units; lower scores are better."),
      ),
    ),
  );
}

function bars(rows: { label: string; value: number; title: string }[], name: string): HTMLElement {
  const most = Math.max(...rows.map((r) => r.value), Number.MIN_VALUE);
  const list = el("div", { class: rows.length > 16 ? "bars columns" : "bars", role: "img", "aria-label": name });
  for (const r of rows) {
    const bar = el("i");
    bar.style.width = `${(100 * r.value) / most}%`;
    list.append(
      el(
        "div",
        { class: "bar", title: r.title },
        el("span", { class: "name" }, r.label),
        el("span", { class: "rail" }, bar),
        el("span", { class: "num" }, r.title.split(": ").pop() ?? ""),
      ),
    );
  }
  return list;
}

export function objects(report: RunReport): HTMLElement | null {
  const o: ObjectErrors | undefined = report.objects;
  if (!o || o.by === "none") return null;
  if (o.by === "name") {
    const rows = o.rows.map((r) => ({ label: r.id, value: r.mse ?? 0, title: `${r.id}: ${error(r.mse)}` }));
    return section(
      "objects",
      "Error per object",
      `Error × 10⁻², averaged over ${o.rows.length === 1 ? "the systems" : "the systems that have the object"}.`,
      bars(rows, "error per object"),
    );
  }
  const bins = o.counts.map((n, i) => {
    const low = 10 ** (o.low + ((o.high - o.low) * i) / o.counts.length);
    return { label: error(low), value: n, title: `from ${error(low)}: ${count(n)}` };
  });
  return section(
    "objects",
    "Error per object",
    `How the errors × 10⁻² of ${count(o.count)} objects are distributed: half of them are below ${error(o.quantiles[2])}, 5 % above ${error(o.quantiles[4])}.`,
    bars(bins, "distribution of errors per object"),
  );
}
