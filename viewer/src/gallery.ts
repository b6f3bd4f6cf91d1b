// The systems to choose from, as small pictures: the best, the median, the worst and others between.
import { alpha, objectColour, onTheme, theme } from "./colours";
import { el } from "./dom";
import { error, general } from "./format";
import { Space } from "./space";
import { Canvas, kColoured } from "./stage";
import type { System } from "./system";

const kWidth = 148;
const kHeight = 104;

type Point = [number, number];

// All paths of a system in a plane of its own, and how to draw them.
interface Paths {
  truth: Point[][];
  predicted: Point[][];
  futures: { points: Point[]; object: number; opacity: number }[];
}

function paths(system: System, positions: number[]): Paths {
  const truth: Point[][] = [];
  const predicted: Point[][] = [];
  const futures: Paths["futures"] = [];
  const n = system.times.length;
  if (positions.length === 3) {
    const space = new Space(system, positions);
    const flat = (v: number[]): Point => {
      const [x = 0, y = 0, z = 0] = v;
      return [0.83 * x + 0.56 * y, z + 0.15 * (0.83 * y - 0.56 * x)];
    };
    // Two poses say more than 31 paths.
    const from = system.startAt;
    for (const t of [from + 0.02 * (system.duration - from), from + 0.5 * (system.duration - from), system.duration * 0.98]) {
      const [a, b] = [space.truth(t), space.predicted(t)];
      for (const [s, e] of space.bones) {
        const pair = (list: number[][]): Point[] => [flat(list[s] ?? []), flat(list[e] ?? [])];
        truth.push(pair(a));
        predicted.push(pair(b));
      }
    }
    if (space.bones.length > 0) return { truth, predicted, futures };
  }
  const over = positions.length !== 2 && positions.length !== 3; // values over time
  const [fx, fy] = [positions[0] ?? 0, positions[1] ?? positions[0] ?? 0];
  for (let o = 0; o < system.objects; ++o) {
    const one: Point[] = [];
    for (let k = system.first(o); k < system.last(o); ++k)
      one.push([over ? (system.seenTimes[k] ?? 0) : (system.values[fx]?.[k] ?? NaN), system.values[over ? fx : fy]?.[k] ?? NaN]);
    truth.push(one);
    predicted.push(
      Array.from({ length: n }, (_, k): Point => [
        over ? (system.times[k] ?? 0) : (system.mean[fx]?.[o * n + k] ?? NaN),
        system.mean[over ? fx : fy]?.[o * n + k] ?? NaN,
      ]),
    );
    for (const j of over || system.objects > kColoured ? [] : system.futures.drawn)
      futures.push({
        points: system.futures.path(o, j, (read): Point => [read(fx), read(fy)]),
        object: o,
        opacity: system.futures.opacity(o, j),
      });
  }
  return { truth, predicted, futures };
}

function thumbnail(system: System, positions: number[]): HTMLCanvasElement {
  const canvas = new Canvas();
  const all = paths(system, positions);
  const draw = (): void => {
    canvas.fit(kWidth, kHeight);
    const c = canvas.context;
    const [low, high]: [Point, Point] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
    ];
    for (const list of [all.truth, all.predicted, all.futures.map((f) => f.points)])
      for (const path of list)
        for (const p of path)
          for (const i of [0, 1] as const)
            if (!Number.isNaN(p[i])) {
              low[i] = Math.min(low[i], p[i]);
              high[i] = Math.max(high[i], p[i]);
            }
    const spans: Point = [high[0] - low[0] || 1, high[1] - low[1] || 1];
    const same = positions.length === 2 || positions.length === 3;
    const each: Point = [(kWidth - 16) / spans[0], (kHeight - 16) / spans[1]];
    const scale: Point = same ? [Math.min(...each), Math.min(...each)] : each;
    const at = (p: Point): Point => [
      kWidth / 2 + (p[0] - (low[0] + high[0]) / 2) * scale[0],
      kHeight / 2 - (p[1] - (low[1] + high[1]) / 2) * scale[1],
    ];
    const trace = (path: Point[]): void => {
      let down = false;
      for (const p of path) {
        const [x, y] = at(p);
        if (Number.isNaN(x) || Number.isNaN(y)) down = false;
        else if (down) c.lineTo(x, y);
        else {
          c.moveTo(x, y);
          down = true;
        }
      }
    };
    // One stroke for all: a stroke for each of many objects would be slow.
    const stroke = (list: Point[][], colour: string, width: number): void => {
      c.strokeStyle = colour;
      c.lineWidth = width;
      c.beginPath();
      for (const path of list) trace(path);
      c.stroke();
    };
    const many = system.objects > kColoured;
    c.lineCap = "round";
    stroke(all.truth, alpha(theme().truth, many ? 0.3 : 0.35), many ? 0.8 : 2.5);
    for (const f of all.futures) stroke([f.points], alpha(objectColour(f.object), 0.7 * f.opacity), 0.8);
    if (many) stroke(all.predicted, alpha(theme().model, 0.55), 0.8);
    else all.predicted.forEach((path, o) => stroke([path], objectColour(o), 1.4));
  };
  draw();
  onTheme(draw);
  canvas.element.setAttribute("aria-hidden", "true");
  return canvas.element;
}

export type Sorting = "error" | "surprise";

export class Gallery {
  readonly element = el("div", {});
  // Indices of the systems, in the order in which they are shown.
  private order: number[];
  private readonly list = el("div", { class: "gallery", role: "listbox", "aria-label": "systems" });
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly numbers: HTMLElement[] = [];

  // `unit`: of the positions.
  constructor(
    private readonly systems: System[],
    positions: number[],
    private readonly unit: string,
    choose: (index: number) => void,
  ) {
    this.order = systems.map((_, index) => index);
    systems.forEach((system, index) => {
      const { rank, place, of, id } = system.data;
      const number = el("span", { class: "num" });
      const button = el(
        "button",
        { type: "button", role: "option", class: rank ? `thumb ${rank}` : "thumb", "data-system": system.data.system },
        thumbnail(system, positions),
        el("span", { class: "line" }, el("b", {}, rank || `${place} of ${of}`), number),
        el("span", { class: "id" }, id),
      );
      button.addEventListener("click", () => choose(index));
      this.buttons.push(button);
      this.numbers.push(number);
    });
    if (systems.some((system) => typeof system.data.surprise === "number")) this.element.append(this.chooser());
    this.element.append(this.list);
    this.sort("error");
  }

  private chooser(): HTMLElement {
    const select = el("select", { id: "sort" });
    select.append(
      el("option", { value: "error" }, "error, smallest first"),
      el("option", { value: "surprise" }, "surprise, largest first"),
    );
    const words = el("span", { hidden: true }, "Surprise: how far the truth ends from the nearest future, the mean over objects.");
    select.addEventListener("change", () => {
      words.hidden = select.value !== "surprise";
      this.sort(select.value as Sorting);
    });
    return el("div", { class: "sort" }, el("label", {}, "sort by ", select), words);
  }

  // By error as in the page; by surprise from the largest on, and systems without one last.
  private sort(by: Sorting): void {
    const surprise = (index: number): number => this.systems[index]?.data.surprise ?? -1;
    this.order = this.systems.map((_, index) => index);
    if (by === "surprise") this.order.sort((a, b) => surprise(b) - surprise(a) || a - b);
    this.systems.forEach(({ data }, index) => {
      const text = by === "error" ? error(data.mse) : `${general(data.surprise, 3)} ${this.unit}`.trim();
      this.numbers[index]?.replaceChildren(text);
    });
    this.list.replaceChildren(...this.order.map((index) => this.buttons[index] ?? ""));
  }
  // The system `by` places after this one, round and round.
  next(index: number, by: number): number {
    const n = this.order.length;
    return this.order[(((this.order.indexOf(index) + by) % n) + n) % n] ?? 0;
  }
  mark(index: number): void {
    this.buttons.forEach((button, i) => button.setAttribute("aria-selected", String(i === index)));
  }
}
