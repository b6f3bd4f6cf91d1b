// Space drawn on a plain canvas, for browsers without WebGL: the same skeletons, turned by dragging.
import { alpha, theme } from "./colours";
import { isKnown, type Space, type Vec } from "./space";
import type { Canvas } from "./stage";

export class FlatView {
  private turned = 0.65;
  private tilt = 0.25;
  private zoom = 1;
  private space: Space | null = null;
  private time = 0;
  private selected = 0;
  private withFutures = true;

  constructor(private readonly canvas: Canvas) {
    const element = canvas.element;
    element.addEventListener("pointerdown", (e) => element.setPointerCapture(e.pointerId));
    element.addEventListener("pointermove", (e) => {
      if (e.buttons & 1) this.turn(-0.008 * e.movementX, 0.008 * e.movementY);
    });
    element.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom = Math.min(Math.max(this.zoom * Math.exp(-0.001 * e.deltaY), 0.2), 10);
        this.draw(this.time, this.selected);
      },
      { passive: false },
    );
  }
  showFutures(shown: boolean): void {
    this.withFutures = shown;
    this.draw(this.time, this.selected);
  }
  show(space: Space): void {
    this.space = space;
  }
  turn(dx: number, dy: number): void {
    this.turned += dx;
    this.tilt = Math.min(Math.max(this.tilt + dy, -1.4), 1.4);
    this.draw(this.time, this.selected);
  }
  project(p: Vec): [number, number] {
    const s = this.space;
    if (!s) return [NaN, NaN];
    const [x, y, z] = [p[0] - s.centre[0], p[1] - s.centre[1], p[2] - s.centre[2]];
    const side = x * Math.cos(this.turned) + y * Math.sin(this.turned);
    const depth = y * Math.cos(this.turned) - x * Math.sin(this.turned);
    const height = z * Math.cos(this.tilt) + depth * Math.sin(this.tilt);
    const scale = (this.zoom * 0.46 * Math.min(this.canvas.width, this.canvas.height)) / s.radius;
    return [this.canvas.width / 2 + scale * side, this.canvas.height / 2 - scale * height];
  }
  draw(time: number, selected: number): void {
    [this.time, this.selected] = [time, selected];
    const s = this.space;
    const c = this.canvas.context;
    if (!s || this.canvas.width === 0) return;
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const t = theme();
    c.lineCap = "round";
    const path = (points: Vec[], colour: string, width: number): void => {
      c.strokeStyle = colour;
      c.lineWidth = width;
      c.beginPath();
      points.filter(isKnown).forEach((p, i) => {
        const [x, y] = this.project(p);
        if (i === 0) c.moveTo(x, y);
        else c.lineTo(x, y);
      });
      c.stroke();
    };
    path(s.truePath(selected), alpha(t.truth, 0.5), 1);
    const futures = s.system.futures;
    if (this.withFutures && time >= s.system.startAt - 1e-6)
      for (const j of futures.drawn) path(s.futurePath(selected, j), alpha(t.accent, futures.opacity(selected, j)), 1);
    path(s.predictedPath(selected), alpha(t.accent, 0.8), 1.5);
    const figure = (places: Vec[], colour: string, width: number): void => {
      c.strokeStyle = c.fillStyle = colour;
      for (const [a, b] of s.bones) {
        const [from, to] = [places[a], places[b]];
        if (from && to && isKnown(from) && isKnown(to)) path([from, to], colour, width);
      }
      places.forEach((p, o) => {
        if (!isKnown(p)) return;
        const [x, y] = this.project(p);
        c.beginPath();
        c.arc(x, y, o === selected ? 6 : width * 0.9, 0, 7);
        c.fill();
      });
    };
    figure(s.truth(time), alpha(t.truth, 0.6), 5);
    figure(s.predicted(time), t.model, 3);
  }
}
