// Objects in the plane, or on a line where there is one position: true path, observed points, predicted path with its
// band, relations.
import { alpha, objectColour, theme } from "./colours";
import { el } from "./dom";
import { general, withUnit } from "./format";
import { Canvas, kColoured, stageLabel, Tooltip, type Stage, type StageOptions } from "./stage";
import type { System } from "./system";

const kMargin = 34;

export class PlaneStage implements Stage {
  readonly element: HTMLElement;
  private readonly canvas = new Canvas();
  private readonly tooltip = new Tooltip();
  private system: System | null = null;
  private time = 0;
  private selected = 0;
  private feature = 0; // of a line: which one
  private scale: { x: (v: number) => number; y: (v: number) => number; px: number; py: number } | null = null;
  private withFutures = true;
  private still: HTMLCanvasElement | null = null; // what does not change with time

  constructor(private readonly options: StageOptions) {
    this.canvas.element.setAttribute("tabindex", "0");
    this.canvas.element.setAttribute("aria-label", "the system in motion");
    this.element = el("div", { class: "stage", "data-kind": this.isPlane() ? "plane" : "line" }, this.canvas.element, this.tooltip.element);
    if (!this.isPlane() && options.positions.length > 1) this.element.append(this.chooser());
    new ResizeObserver(() => this.redraw()).observe(this.element);
    this.canvas.element.addEventListener("pointermove", (e) => this.hover(e));
    this.canvas.element.addEventListener("pointerleave", () => this.tooltip.hide());
    this.canvas.element.addEventListener("click", (e) => {
      const object = this.nearest(e);
      if (object >= 0) this.options.select(object);
    });
  }

  private isPlane(): boolean {
    return this.options.positions.length === 2;
  }
  private chooser(): HTMLElement {
    const select = el("select", { "aria-label": "feature" });
    this.options.positions.forEach((f, i) => select.append(el("option", { value: i }, this.options.facts.features[f]?.name ?? "")));
    select.addEventListener("change", () => {
      this.feature = Number(select.value);
      this.redraw();
    });
    return el("div", { class: "corner" }, select);
  }

  showFutures(shown: boolean): void {
    this.withFutures = shown;
    this.draw(this.time, this.selected);
  }
  show(system: System): void {
    this.system = system;
    this.canvas.element.setAttribute("aria-label", stageLabel(system, "the system in motion"));
    this.still = null;
    this.redraw();
  }
  redraw(): void {
    const width = this.element.clientWidth;
    if (width === 0 || !this.system) return;
    this.canvas.fit(width, Math.round(Math.min(Math.max(width * 0.62, 300), 560)));
    this.still = null;
    this.draw(this.time, this.selected);
  }

  // Coordinates of an object: values of features, or the place in a row and a value.
  private at(object: number, read: (feature: number) => number): [number, number] {
    const s = this.scale;
    if (!s) return [NaN, NaN];
    const p = this.options.positions;
    return this.isPlane()
      ? [s.x(read(p[0] ?? 0)), s.y(read(p[1] ?? 1))]
      : [s.x(object), s.y(read(p[this.feature] ?? 0))];
  }

  private layout(system: System): void {
    const { width, height } = this.canvas;
    const p = this.options.positions;
    const pad = ([low, high]: [number, number], share: number): [number, number] => {
      const by = high > low ? share * (high - low) : Math.max(1e-6, Math.abs(low) * 0.1, 0.5);
      return [low - by, high + by];
    };
    const across = this.isPlane() ? pad(system.range(p[0] ?? 0), 0.08) : ([-0.7, system.objects - 0.3] as [number, number]);
    const up = pad(system.range(p[this.isPlane() ? 1 : this.feature] ?? 0), 0.08);
    const w = width - kMargin - 10;
    const h = height - kMargin - 10;
    let px = w / (across[1] - across[0]);
    let py = h / (up[1] - up[0]);
    if (this.isPlane()) px = py = Math.min(px, py);
    const left = kMargin + (w - px * (across[1] - across[0])) / 2;
    const top = 10 + (h - py * (up[1] - up[0])) / 2;
    this.scale = {
      x: (v) => left + (v - across[0]) * px,
      y: (v) => top + (up[1] - v) * py,
      px,
      py,
    };
  }

  private colour(object: number): string {
    const system = this.system;
    if (system && system.objects <= kColoured) return objectColour(object);
    return object === this.selected ? theme().accent : theme().model;
  }

  private polyline(c: CanvasRenderingContext2D, points: [number, number][]): void {
    c.beginPath();
    this.trace(c, points);
    c.stroke();
  }

  // Adds a line to the present path; unknown points interrupt it.
  private trace(c: CanvasRenderingContext2D, points: [number, number][]): void {
    let down = false;
    for (const [x, y] of points) {
      if (Number.isNaN(x) || Number.isNaN(y)) down = false;
      else if (down) c.lineTo(x, y);
      else {
        c.moveTo(x, y);
        down = true;
      }
    }
  }

  private axes(c: CanvasRenderingContext2D): void {
    const s = this.scale;
    if (!s) return;
    const t = theme();
    const { width, height } = this.canvas;
    c.font = "11px system-ui, sans-serif";
    c.fillStyle = t.muted;
    c.strokeStyle = t.grid;
    c.lineWidth = 1;
    const step = (pixels: number): number => {
      const rough = 80 / pixels;
      const power = 10 ** Math.floor(Math.log10(rough));
      const share = rough / power;
      return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
    };
    const names = this.options.positions.map((f) => this.options.facts.features[f]);
    const dy = step(s.py);
    const top = (s.y(0) - 0) / s.py;
    for (let k = Math.ceil((s.y(0) - height) / s.py / dy); k * dy <= top; ++k) {
      const y = s.y(k * dy);
      if (y > height - kMargin + 6) continue;
      c.beginPath();
      c.moveTo(kMargin, y);
      c.lineTo(width, y);
      c.stroke();
      c.textAlign = "right";
      c.fillText(general(k * dy), kMargin - 5, y + 4);
    }
    c.textAlign = "center";
    if (this.isPlane()) {
      const dx = step(s.px);
      for (let k = Math.ceil((kMargin - s.x(0)) / s.px / dx); s.x(k * dx) <= width; ++k) {
        const x = s.x(k * dx);
        c.beginPath();
        c.moveTo(x, 0);
        c.lineTo(x, height - kMargin + 8);
        c.stroke();
        c.fillText(general(k * dx), x, height - 16);
      }
    } else if (this.system && this.system.objects <= 40) {
      this.system.data.objects.ids.forEach((id, o) => c.fillText(id.slice(0, 10), s.x(o), height - 16));
    }
    const label = (f: { name: string; unit: string } | undefined): string => (f ? withUnit(f.name, f.unit) : "");
    c.fillText(this.isPlane() ? label(names[0]) : "object", width / 2, height - 3);
    c.textAlign = "left";
    c.fillText(label(names[this.isPlane() ? 1 : this.feature]), 4, 12);
  }

  // True paths and observed points: they stay as they are while time passes.
  private drawStill(system: System): HTMLCanvasElement {
    const copy = el("canvas", { width: this.canvas.element.width, height: this.canvas.element.height });
    const c = copy.getContext("2d");
    if (!c) return copy;
    c.setTransform(this.canvas.context.getTransform());
    this.axes(c);
    if (!this.isPlane()) return copy;
    if (system.objects > kColoured) this.drawStillMany(c, system);
    else for (let o = 0; o < system.objects; ++o) this.drawStillOne(c, system, o);
    return copy;
  }

  private truePath(system: System, o: number): [number, number][] {
    const points: [number, number][] = [];
    for (let k = system.first(o); k < system.last(o); ++k) {
      if (k > system.first(o) && system.isGap(o, k)) points.push([NaN, NaN]);
      points.push(this.at(o, (f) => system.values[f]?.[k] ?? NaN));
    }
    return points;
  }
  private traceObserved(c: CanvasRenderingContext2D, system: System, o: number, radius: number): void {
    for (let k = system.first(o); k < system.last(o); ++k) {
      if (!system.isSeen(k)) continue;
      const [x, y] = this.at(o, (f) => system.values[f]?.[k] ?? NaN);
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      c.moveTo(x + radius, y);
      c.arc(x, y, radius, 0, 7);
    }
  }
  private drawStillOne(c: CanvasRenderingContext2D, system: System, o: number): void {
    c.strokeStyle = alpha(objectColour(o), 0.45);
    c.lineWidth = 1.5;
    c.setLineDash([4, 4]);
    this.polyline(c, this.truePath(system, o));
    c.setLineDash([]);
    c.fillStyle = objectColour(o);
    c.beginPath();
    this.traceObserved(c, system, o, 2.6);
    c.fill();
  }
  // Many objects in three strokes: one for each would be slow.
  private drawStillMany(c: CanvasRenderingContext2D, system: System): void {
    const n = system.times.length;
    c.strokeStyle = alpha(theme().truth, 0.3);
    c.lineWidth = 1;
    c.beginPath();
    for (let o = 0; o < system.objects; ++o) this.trace(c, this.truePath(system, o));
    c.stroke();
    c.strokeStyle = alpha(theme().model, 0.4);
    c.beginPath();
    for (let o = 0; o < system.objects; ++o)
      this.trace(
        c,
        Array.from({ length: n }, (_, k) => this.at(o, (f) => system.mean[f]?.[o * n + k] ?? NaN)),
      );
    c.stroke();
    c.fillStyle = alpha(theme().truth, 0.45);
    c.beginPath();
    for (let o = 0; o < system.objects; ++o) this.traceObserved(c, system, o, 1.2);
    c.fill();
  }

  private drawPath(c: CanvasRenderingContext2D, system: System, o: number, time: number): void {
    const n = system.times.length;
    const before: [number, number][] = [];
    const after: [number, number][] = [];
    for (let k = 0; k < n; ++k) {
      const point = this.at(o, (f) => system.mean[f]?.[o * n + k] ?? NaN);
      if ((system.times[k] ?? 0) <= time) before.push(point);
      else after.push(point);
    }
    const now = this.at(o, (f) => system.predicted(o, f, time));
    before.push(now);
    after.unshift(now);
    const colour = this.colour(o);
    c.lineWidth = 1.2;
    c.strokeStyle = alpha(colour, 0.3);
    this.polyline(c, after);
    c.lineWidth = 2.4;
    c.strokeStyle = colour;
    this.polyline(c, before);
  }

  // Where the object may go, once the path has begun.
  private drawFutures(c: CanvasRenderingContext2D, system: System, o: number, time: number): void {
    if (!this.withFutures || time < system.startAt - 1e-6) return;
    const futures = system.futures;
    for (const j of futures.drawn) {
      c.strokeStyle = alpha(this.colour(o), futures.opacity(o, j));
      c.lineWidth = 1.1;
      this.polyline(c, this.isPlane() ? futures.path(o, j, (read) => this.at(o, read)) : this.futureTick(system, o, j, time));
    }
  }
  // Objects side by side: where a future is at the time.
  private futureTick(system: System, o: number, j: number, time: number): [number, number][] {
    const [x, y] = this.at(o, (f) => system.futures.at(o, j, f, time));
    const half = Math.min(14, 0.3 * (this.scale?.px ?? 0));
    return [
      [x - half, y],
      [x + half, y],
    ];
  }

  // The band of the path up to now: where the object is with 90 % probability in each coordinate.
  private drawBand(c: CanvasRenderingContext2D, system: System, o: number, time: number): void {
    const s = this.scale;
    if (!s) return;
    const [fx, fy] = [this.options.positions[0] ?? 0, this.options.positions[1] ?? 0];
    const ellipse = (t: number): void => {
      const x = system.read(o, fx, t);
      const y = system.read(o, fy, t);
      if (Number.isNaN(x.low) || Number.isNaN(y.low)) return;
      c.moveTo(s.x((x.low + x.high) / 2) + (s.px * (x.high - x.low)) / 2, s.y((y.low + y.high) / 2));
      c.ellipse(
        s.x((x.low + x.high) / 2),
        s.y((y.low + y.high) / 2),
        Math.max(0, (s.px * (x.high - x.low)) / 2),
        Math.max(0, (s.py * (y.high - y.low)) / 2),
        0,
        0,
        2 * Math.PI,
      );
    };
    c.beginPath();
    for (const t of system.times) if (t <= time) ellipse(t);
    ellipse(time);
    c.fillStyle = alpha(this.colour(o), 0.13);
    c.fill("nonzero");
  }

  private drawLineBand(c: CanvasRenderingContext2D, system: System, o: number, time: number): void {
    const s = this.scale;
    const f = this.options.positions[this.feature] ?? 0;
    if (!s) return;
    const r = system.read(o, f, time);
    if (Number.isNaN(r.low)) return;
    const half = Math.min(14, 0.3 * s.px);
    c.fillStyle = alpha(this.colour(o), 0.25);
    c.fillRect(s.x(o) - half, s.y(r.high), 2 * half, s.y(r.low) - s.y(r.high));
  }

  private drawRelations(c: CanvasRenderingContext2D, system: System, now: [number, number][]): void {
    const relations = system.data.relations;
    const many = relations.length / 3 > 200;
    const types = Math.max(1, this.options.facts.relation_types.length);
    // One stroke for all of a kind: a path for each would be slow where there are thousands.
    const trace = (type: number, own: boolean): void => {
      c.beginPath();
      for (let r = 0; r + 2 < relations.length; r += 3) {
        const [a, b] = [relations[r] ?? 0, relations[r + 1] ?? 0];
        if ((relations[r + 2] ?? 0) !== type || (a === this.selected || b === this.selected) !== own) continue;
        const from = now[a];
        const to = now[b];
        if (!from || !to || Number.isNaN(from[0]) || Number.isNaN(to[0])) continue;
        c.moveTo(from[0], from[1]);
        c.lineTo(to[0], to[1]);
      }
      c.strokeStyle = alpha(theme().ink, own ? 0.55 : many ? 0.12 : 0.25);
      c.lineWidth = own ? 1.4 : 1;
      c.setLineDash(type > 0 ? [2 + 2 * type, 3] : []);
      c.stroke();
    };
    for (let type = 0; type < types; ++type) {
      trace(type, false);
      trace(type, true);
    }
    c.setLineDash([]);
  }

  // The objects' positions: predicted or, before the start, as observed.
  private places(system: System, time: number): [number, number][] {
    const out: [number, number][] = [];
    for (let o = 0; o < system.objects; ++o) {
      const predicted = this.at(o, (f) => system.predicted(o, f, time));
      out.push(Number.isNaN(predicted[0]) || Number.isNaN(predicted[1]) ? this.at(o, (f) => system.truth(o, f, time)) : predicted);
    }
    return out;
  }

  draw(time: number, selected: number): void {
    this.time = time;
    this.selected = selected;
    const system = this.system;
    const c = this.canvas.context;
    if (!system || this.canvas.width === 0) return;
    if (!this.still) {
      this.layout(system);
      this.still = this.drawStill(system);
    }
    c.save();
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.element.width, this.canvas.element.height);
    c.drawImage(this.still, 0, 0);
    c.restore();
    const now = this.places(system, time);
    const many = system.objects > kColoured;
    for (let o = 0; o < system.objects; ++o) {
      if (many && o !== selected) continue;
      if (this.isPlane()) this.drawBand(c, system, o, time);
      else this.drawLineBand(c, system, o, time);
    }
    this.drawRelations(c, system, now);
    for (let o = 0; o < system.objects; ++o) if (!many || o === selected) this.drawFutures(c, system, o, time);
    if (this.isPlane())
      for (let o = 0; o < system.objects; ++o) if (!many || o === selected) this.drawPath(c, system, o, time);
    if (many) this.drawObjects(c, system, time);
    for (let o = 0; o < system.objects; ++o)
      if (!many || o === selected) this.drawObject(c, system, o, time, now[o] ?? [NaN, NaN]);
  }

  // The other ones of many objects.
  private drawObjects(c: CanvasRenderingContext2D, system: System, time: number): void {
    const circles = (read: (o: number, f: number) => number, radius: number): void => {
      c.beginPath();
      for (let o = 0; o < system.objects; ++o) {
        const [x, y] = this.at(o, (f) => read(o, f));
        if (o === this.selected || Number.isNaN(x) || Number.isNaN(y)) continue;
        c.moveTo(x + radius, y);
        c.arc(x, y, radius, 0, 7);
      }
    };
    circles((o, f) => system.predicted(o, f, time), 2.5);
    c.fillStyle = theme().model;
    c.fill();
    circles((o, f) => system.truth(o, f, time), 4);
    c.strokeStyle = alpha(theme().truth, 0.6);
    c.lineWidth = 1;
    c.stroke();
  }

  private drawObject(c: CanvasRenderingContext2D, system: System, o: number, time: number, now: [number, number]): void {
    const radius = o === this.selected ? 7 : 5.5;
    const predicted = this.at(o, (f) => system.predicted(o, f, time));
    const truth = this.at(o, (f) => system.truth(o, f, time));
    if (!Number.isNaN(predicted[0]) && !Number.isNaN(predicted[1])) {
      c.fillStyle = this.colour(o);
      c.beginPath();
      c.arc(now[0], now[1], radius, 0, 7);
      c.fill();
    }
    if (!Number.isNaN(truth[0]) && !Number.isNaN(truth[1])) {
      c.strokeStyle = theme().truth;
      c.lineWidth = 2;
      c.beginPath();
      c.arc(truth[0], truth[1], radius + 1.5, 0, 7);
      c.stroke();
    }
  }

  private nearest(event: PointerEvent | MouseEvent): number {
    const system = this.system;
    if (!system) return -1;
    const box = this.canvas.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = -1;
    let distance = 24 * 24;
    this.places(system, this.time).forEach(([px, py], o) => {
      const truth = this.at(o, (f) => system.truth(o, f, this.time));
      for (const [qx, qy] of [[px, py], truth]) {
        const d = ((qx ?? NaN) - x) ** 2 + ((qy ?? NaN) - y) ** 2;
        if (d < distance) [best, distance] = [o, d];
      }
    });
    return best;
  }
  private hover(event: PointerEvent): void {
    const object = this.nearest(event);
    if (object < 0 || !this.system) return this.tooltip.hide();
    const box = this.canvas.element.getBoundingClientRect();
    this.tooltip.show(this.system, object, this.time, this.options.facts, event.clientX - box.left, event.clientY - box.top);
  }
}
