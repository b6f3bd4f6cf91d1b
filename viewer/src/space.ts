// Objects in space at a time, for both ways of drawing them: positions of truth and prediction, bones, the view.
import type { System } from "./system";

export type Vec = [number, number, number];

export class Space {
  readonly bones: [number, number][] = [];
  readonly centre: Vec;
  readonly radius: number;
  readonly floor: number;
  readonly up: number; // axis

  constructor(
    readonly system: System,
    private readonly positions: number[],
  ) {
    this.up = this.upAxis();
    const seen = new Set<string>();
    const relations = system.data.relations;
    // Of objects that are all related to each other, lines would hide the rest.
    if (relations.length / 3 <= 4 * system.objects)
      for (let r = 0; r + 2 < relations.length; r += 3) {
        const [a, b] = [relations[r] ?? 0, relations[r + 1] ?? 0];
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        if (seen.has(key)) continue;
        seen.add(key);
        this.bones.push([a, b]);
      }
    const ranges = [0, 1, 2].map((axis) => system.range(this.feature(axis)));
    this.centre = ranges.map(([low, high]) => (low + high) / 2) as Vec;
    this.radius = Math.max(1e-9, Math.hypot(...ranges.map(([low, high]) => (high - low) / 2)));
    this.floor = ranges[2]?.[0] ?? 0;
  }

  // The feature of an axis of the picture: x and y are on the ground, z points up.
  private feature(axis: number): number {
    return this.positions[(this.up + 1 + axis) % 3] ?? 0;
  }

  // Objects usually are farthest apart from head to foot; without a difference, the third position points up.
  private upAxis(): number {
    const n = this.system.times.length;
    const extent = [0, 0, 0].map((_, axis) => {
      const values = this.system.mean[this.positions[axis] ?? 0];
      let sum = 0;
      for (let k = 0; k < n; k += 10) {
        let [low, high] = [Infinity, -Infinity];
        for (let o = 0; o < this.system.objects; ++o) {
          const v = values?.[o * n + k] ?? NaN;
          if (!Number.isNaN(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
        }
        if (low <= high) sum += high - low;
      }
      return sum;
    });
    let up = 2;
    for (const axis of [1, 0]) if ((extent[axis] ?? 0) > 1.1 * (extent[up] ?? 0)) up = axis;
    return up;
  }

  private place(read: (feature: number) => number): Vec {
    return [read(this.feature(0)), read(this.feature(1)), read(this.feature(2))];
  }
  truth(time: number): Vec[] {
    return Array.from({ length: this.system.objects }, (_, o) => this.place((f) => this.system.truth(o, f, time)));
  }
  predicted(time: number): Vec[] {
    return Array.from({ length: this.system.objects }, (_, o) => this.place((f) => this.system.predicted(o, f, time)));
  }
  truePath(object: number): Vec[] {
    const out: Vec[] = [];
    for (let k = this.system.first(object); k < this.system.last(object); ++k)
      out.push(this.place((f) => this.system.values[f]?.[k] ?? NaN));
    return out;
  }
  observed(object: number): Vec[] {
    const out: Vec[] = [];
    for (let k = this.system.first(object); k < this.system.last(object); ++k)
      if (this.system.isSeen(k)) out.push(this.place((f) => this.system.values[f]?.[k] ?? NaN));
    return out;
  }
  predictedPath(object: number): Vec[] {
    const n = this.system.times.length;
    return Array.from({ length: n }, (_, k) => this.place((f) => this.system.mean[f]?.[object * n + k] ?? NaN));
  }
  futurePath(object: number, future: number): Vec[] {
    return this.system.futures.path(object, future, (read) => this.place(read));
  }
  // Centre and half-widths of the 90 % band.
  band(object: number, time: number): { centre: Vec; half: Vec } {
    const low = this.place((f) => this.system.read(object, f, time).low);
    const high = this.place((f) => this.system.read(object, f, time).high);
    return {
      centre: low.map((v, i) => (v + (high[i] ?? 0)) / 2) as Vec,
      half: low.map((v, i) => ((high[i] ?? 0) - v) / 2) as Vec,
    };
  }
}

export const isKnown = (v: Vec): boolean => !v.some(Number.isNaN);
