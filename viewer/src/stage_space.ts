// The stage of objects in space, by three.js or, without WebGL, on a plain canvas.
import { el } from "./dom";
import { Space, isKnown, type Vec } from "./space";
import { Canvas, stageLabel, Tooltip, type Stage, type StageOptions } from "./stage";
import { FlatView } from "./stage_flat";
import { ThreeView } from "./stage_three";
import type { System } from "./system";

export class SpaceStage implements Stage {
  readonly element: HTMLElement;
  private readonly tooltip = new Tooltip();
  private readonly three: ThreeView | null;
  private readonly flat: FlatView | null;
  private readonly canvas: Canvas | null;
  private readonly surface: HTMLCanvasElement;
  private space: Space | null = null;
  private time = 0;
  private selected = 0;
  private width = 0;
  private height = 0;
  private shown = false; // the view of this system is set up; a new size or theme keeps it

  constructor(private readonly options: StageOptions) {
    if (ThreeView.isPossible()) {
      this.surface = el("canvas");
      this.three = new ThreeView(this.surface);
      this.flat = this.canvas = null;
    } else {
      this.canvas = new Canvas();
      this.surface = this.canvas.element;
      this.flat = new FlatView(this.canvas);
      this.three = null;
    }
    this.surface.setAttribute("tabindex", "0");
    this.surface.setAttribute("aria-label", "the system in motion; drag to turn it");
    this.element = el(
      "div",
      { class: "stage space", "data-kind": this.three ? "space" : "flat" },
      this.surface,
      this.tooltip.element,
      el("div", { class: "hint" }, "drag to turn, scroll to zoom, a and d turn, too"),
    );
    new ResizeObserver(() => this.redraw()).observe(this.element);
    this.surface.addEventListener("pointermove", (e) => this.hover(e));
    this.surface.addEventListener("pointerleave", () => this.tooltip.hide());
    this.surface.addEventListener("click", (e) => {
      const object = this.nearest(e);
      if (object >= 0) this.options.select(object);
    });
  }

  turn(dx: number, dy: number): void {
    this.three?.turn(dx, dy);
    this.flat?.turn(dx, dy);
  }
  showFutures(shown: boolean): void {
    this.three?.showFutures(shown);
    this.flat?.showFutures(shown);
    this.draw(this.time, this.selected);
  }
  show(system: System): void {
    this.surface.setAttribute("aria-label", stageLabel(system, "the system in motion; drag to turn it"));
    this.space = new Space(system, this.options.positions);
    this.shown = false;
    this.flat?.show(this.space);
    this.redraw();
  }
  redraw(): void {
    const width = this.element.clientWidth;
    if (width === 0 || !this.space) return;
    [this.width, this.height] = [width, Math.round(Math.min(Math.max(width * 0.62, 320), 580))];
    this.surface.style.height = `${this.height}px`;
    this.three?.show(this.space, this.shown);
    this.shown = true;
    this.three?.size(this.width, this.height);
    this.canvas?.fit(this.width, this.height);
    this.draw(this.time, this.selected);
  }
  draw(time: number, selected: number): void {
    [this.time, this.selected] = [time, selected];
    this.three?.draw(time, selected);
    this.flat?.draw(time, selected);
  }

  private project(p: Vec): [number, number] {
    return this.three ? this.three.project(p, this.width, this.height) : (this.flat?.project(p) ?? [NaN, NaN]);
  }
  private nearest(event: MouseEvent): number {
    if (!this.space) return -1;
    const box = this.surface.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = -1;
    let distance = 18 * 18;
    for (const places of [this.space.predicted(this.time), this.space.truth(this.time)])
      places.forEach((p, o) => {
        if (!isKnown(p)) return;
        const [px, py] = this.project(p);
        const d = (px - x) ** 2 + (py - y) ** 2;
        if (d < distance) [best, distance] = [o, d];
      });
    return best;
  }
  private hover(event: PointerEvent): void {
    const object = event.buttons ? -1 : this.nearest(event);
    if (object < 0 || !this.space) return this.tooltip.hide();
    const box = this.surface.getBoundingClientRect();
    this.tooltip.show(this.space.system, object, this.time, this.options.facts, event.clientX - box.left, event.clientY - box.top);
  }
}
