// What all stages have in common: a place to draw at a time of the player, and a tooltip.
import { el } from "./dom";
import { general, withUnit } from "./format";
import type { System } from "./system";
import type { DataFacts } from "./types";

export interface Stage {
  readonly element: HTMLElement;
  show(system: System): void;
  draw(time: number, selected: number): void;
  redraw(): void; // the theme has changed
  showFutures(shown: boolean): void; // those of a run that predicts several, from the start of the path on
}

export interface StageOptions {
  facts: DataFacts;
  positions: number[]; // features
  select: (object: number) => void;
}

// What a stage shows, for readers who cannot see it.
export function stageLabel(system: System, words: string): string {
  const { count, total } = system.futures;
  if (count === 0) return words;
  const which = count < total ? `the ${count} most probable of ${total} futures` : `${count} futures`;
  return `${words}; with ${which} of each object, the fainter the less probable`;
}

// Whether each object has its own colour: only a few colours can be distinguished.
export const kColoured = 7;

export class Tooltip {
  readonly element = el("div", { class: "tooltip", role: "tooltip", hidden: true });

  hide(): void {
    this.element.hidden = true;
  }
  show(system: System, object: number, time: number, facts: DataFacts, x: number, y: number): void {
    const rows = el("table");
    rows.append(el("tr", {}, el("th", {}, ""), el("th", {}, "truth"), el("th", {}, "predicted")));
    facts.features.slice(0, 8).forEach((feature, f) => {
      const r = system.read(object, f, time);
      rows.append(
        el(
          "tr",
          {},
          el("th", {}, withUnit(feature.name, feature.unit)),
          el("td", {}, general(r.truth)),
          el("td", {}, Number.isNaN(r.mean) ? "–" : `${general(r.mean)} (${general(r.low, 3)} to ${general(r.high, 3)})`),
        ),
      );
    });
    this.element.replaceChildren(el("b", {}, system.data.objects.ids[object] ?? ""), rows);
    this.element.hidden = false;
    const parent = this.element.parentElement;
    const room = parent ? parent.clientWidth : 0;
    this.element.style.left = `${Math.max(4, Math.min(x + 14, room - this.element.offsetWidth - 4))}px`;
    this.element.style.top = `${y + 14}px`;
  }
}

// A canvas that fits its place and the screen's dots.
export class Canvas {
  readonly element = el("canvas");
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;

  constructor() {
    const context = this.element.getContext("2d");
    if (!context) throw new Error("this browser has no canvas");
    this.context = context;
  }
  fit(width: number, height: number): void {
    const dots = Math.min(window.devicePixelRatio || 1, 2);
    this.width = width;
    this.height = height;
    this.element.width = Math.round(width * dots);
    this.element.height = Math.round(height * dots);
    this.element.style.height = `${height}px`;
    this.context.setTransform(dots, 0, 0, dots, 0, 0);
  }
}
