// The systems to choose from, as small pictures: the best, the median, the worst and others between.
import { alpha, objectColour, onTheme, theme } from "./colours";
import { el } from "./dom";
import { error } from "./format";
import { Space } from "./space";
import { Canvas, kColoured } from "./stage";
import type { System } from "./system";

const kWidth = 148;
const kHeight = 104;

type Point = [number, number];

// All paths of a system in a plane of its own, and how to draw them.
function paths(system: System, positions: number[]): { truth: Point[][]; predicted: Point[][] } {
  const truth: Point[][] = [];
  const predicted: Point[][] = [];
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
    if (space.bones.length > 0) return { truth, predicted };
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
  }
  return { truth, predicted };
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
    for (const list of [all.truth, all.predicted])
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
    if (many) stroke(all.predicted, alpha(theme().model, 0.55), 0.8);
    else all.predicted.forEach((path, o) => stroke([path], objectColour(o), 1.4));
  };
  draw();
  onTheme(draw);
  canvas.element.setAttribute("aria-hidden", "true");
  return canvas.element;
}

export class Gallery {
  readonly element = el("div", { class: "gallery", role: "listbox", "aria-label": "systems" });
  private readonly buttons: HTMLButtonElement[] = [];

  constructor(systems: System[], positions: number[], choose: (index: number) => void) {
    systems.forEach((system, index) => {
      const { rank, place, of, mse, id } = system.data;
      const button = el(
        "button",
        { type: "button", role: "option", class: rank ? `thumb ${rank}` : "thumb", "data-system": system.data.system },
        thumbnail(system, positions),
        el("span", { class: "line" }, el("b", {}, rank || `${place} of ${of}`), el("span", { class: "num" }, error(mse))),
        el("span", { class: "id" }, id),
      );
      button.addEventListener("click", () => choose(index));
      this.buttons.push(button);
      this.element.append(button);
    });
  }
  mark(index: number): void {
    this.buttons.forEach((button, i) => button.setAttribute("aria-selected", String(i === index)));
  }
}
