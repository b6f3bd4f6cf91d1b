// Values of one object over time, a chart per feature: observations with gaps, predicted path with its band, and the
// cursor of the player.
import uPlot from "uplot";
import { axisOf, responsive } from "./chart";
import { alpha, objectColour, theme } from "./colours";
import { el } from "./dom";
import { general, withUnit } from "./format";
import type { Player } from "./player";
import { kColoured } from "./stage";
import type { System } from "./system";
import type { DataFacts } from "./types";

type Values = (number | null | undefined)[];

// Columns at all times of observations and path, those of the futures before the mean path. Undefined: no reading at this
// time; null: a gap.
function columns(system: System, object: number, feature: number): [number[], ...Values[]] {
  interface Row {
    t: number;
    mean?: number;
    low?: number;
    high?: number;
    seen?: number;
    hidden?: number;
    truth?: number | null;
    futures?: number[];
  }
  const rows: Row[] = [];
  const n = system.times.length;
  const known = (x: number | undefined): x is number => x !== undefined && !Number.isNaN(x);
  for (let k = 0; k < n; ++k) {
    const [mean, low, high] = [system.mean, system.low, system.high].map((list) => list[feature]?.[object * n + k]);
    if (known(mean) && known(low) && known(high)) rows.push({ t: system.times[k] ?? 0, mean, low, high });
  }
  const { times, drawn } = system.futures;
  times.forEach((t, k) => {
    const futures = drawn.map((j) => system.futures.value(object, j, feature, k));
    if (futures.length > 0 && !futures.some(Number.isNaN)) rows.push({ t, futures });
  });
  let previous = -1;
  for (let k = system.first(object); k < system.last(object); ++k) {
    const value = system.values[feature]?.[k];
    const t = system.seenTimes[k] ?? 0;
    const broken = !known(value) || (k > system.first(object) && system.isGap(object, k));
    if (broken && previous >= 0) rows.push({ t: (previous + t) / 2, truth: null });
    previous = t;
    if (!known(value)) continue;
    rows.push(system.isSeen(k) ? { t, seen: value, truth: value } : { t, hidden: value, truth: value });
  }
  rows.sort((a, b) => a.t - b.t);
  const x: number[] = [];
  const merged: Row[] = [];
  for (const row of rows) {
    const last = merged[merged.length - 1];
    if (last && row.t - last.t < 1e-6 * system.duration) Object.assign(last, { ...row, t: last.t });
    else merged.push({ ...row });
  }
  const begin = system.data.begin;
  for (const row of merged) x.push(begin + row.t);
  const column = (key: Exclude<keyof Row, "t" | "futures">): Values => merged.map((row) => row[key]);
  const futures = drawn.map((_, i): Values => merged.map((row) => row.futures?.[i]));
  return [x, column("high"), column("low"), ...futures, column("mean"), column("truth"), column("hidden"), column("seen")];
}

export class SeriesPanel {
  readonly element = el("div", { class: "series", id: "series" });
  private system: System | null = null;
  private object = 0;
  private readonly plots: (uPlot | null)[] = [];
  private readonly cursors: HTMLElement[] = [];
  private readonly draws: ((width: number) => void)[] = [];
  private readonly places: HTMLElement[] = [];

  constructor(
    facts: DataFacts,
    private readonly player: Player,
  ) {
    facts.features.forEach((feature, f) => {
      const place = el("div", { class: "chart", role: "img", "aria-label": `${feature.name} over time` });
      const readout = el("span", { class: "readout" });
      const cursor = el("div", { class: "now" });
      this.plots.push(null);
      this.cursors.push(cursor);
      const draw = (width: number): void => this.drawFeature(f, place, readout, width);
      this.draws.push(draw);
      this.places.push(place);
      responsive(place, draw);
      this.element.append(
        el("figure", { class: "plot" }, el("figcaption", {}, el("b", {}, withUnit(feature.name, feature.unit)), readout), place),
      );
    });
  }

  show(system: System, object: number): void {
    if (this.system === system && this.object === object) return;
    this.system = system;
    this.object = object;
    this.draws.forEach((draw, f) => {
      const width = this.places[f]?.clientWidth ?? 0;
      if (width > 0) draw(width);
    });
  }

  moveCursor(): void {
    const system = this.system;
    if (!system) return;
    const x = system.data.begin + this.player.time;
    this.plots.forEach((plot, f) => {
      const cursor = this.cursors[f];
      if (plot && cursor) cursor.style.transform = `translateX(${plot.valToPos(x, "x")}px)`;
    });
  }

  private drawFeature(f: number, place: HTMLElement, readout: HTMLElement, width: number): void {
    const system = this.system;
    if (!system) return;
    this.plots[f]?.destroy();
    const t = theme();
    const own = system.objects <= kColoured ? objectColour(this.object) : t.model;
    const none = { show: false };
    const dots = (fill: string, stroke: string, size: number): uPlot.Series => ({
      paths: () => null,
      points: { show: true, size, fill, stroke, width: 1.2 },
    });
    const plot = new uPlot(
      {
        width,
        height: 150,
        padding: [6, 10, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: { x: { time: false, range: [system.data.begin, system.data.end] } },
        axes: [
          { ...axisOf("", (x) => general(x), 26), labelSize: 0 },
          { ...axisOf("", (y) => general(y), 52), labelSize: 0 },
        ],
        bands: [{ series: [1, 2], fill: alpha(own, 0.2) }],
        series: [
          {},
          { stroke: alpha(own, 0.5), width: 0.6, points: none },
          { stroke: alpha(own, 0.5), width: 0.6, points: none },
          ...system.futures.drawn.map((j): uPlot.Series => ({
            stroke: alpha(own, system.futures.opacity(this.object, j)),
            width: 1,
            points: none,
          })),
          { stroke: own, width: 2, points: none },
          { stroke: alpha(t.truth, 0.55), width: 1, dash: [4, 3], points: none },
          dots(t.panel, alpha(t.truth, 0.8), 5),
          dots(own, own, 6),
        ],
        hooks: {
          setCursor: [
            (u): void => {
              const left = u.cursor.left ?? -1;
              readout.textContent = left < 0 ? "" : this.words(f, u.posToVal(left, "x"));
            },
          ],
          draw: [
            (u): void => {
              if (!system.data.forecast) return;
              const x = u.valToPos(system.data.start, "x", true);
              u.ctx.strokeStyle = t.muted;
              u.ctx.lineWidth = 1;
              u.ctx.setLineDash([3, 3]);
              u.ctx.beginPath();
              u.ctx.moveTo(x, u.bbox.top);
              u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
              u.ctx.stroke();
              u.ctx.setLineDash([]);
            },
          ],
        },
      },
      columns(system, this.object, f) as uPlot.AlignedData,
      place,
    );
    const cursor = this.cursors[f];
    if (cursor) plot.over.append(cursor);
    plot.over.addEventListener("click", (e) => this.player.seek(plot.posToVal(e.offsetX, "x") - system.data.begin));
    this.plots[f] = plot;
    this.moveCursor();
  }

  private words(f: number, x: number): string {
    const system = this.system;
    if (!system) return "";
    const r = system.read(this.object, f, x - system.data.begin);
    const interval = Number.isNaN(r.low) ? "" : ` (${general(r.low, 3)} to ${general(r.high, 3)})`;
    return `t = ${general(x)}   truth ${general(r.truth)}   predicted ${general(r.mean)}${interval}`;
  }
}
