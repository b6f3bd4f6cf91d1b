// A system, unpacked: observations, the predicted path and the values of both at any time.
import { Futures } from "./futures";
import { bytes, floats, unpack } from "./packed";
import type { SystemData } from "./types";

export interface Reading {
  truth: number;
  mean: number;
  low: number;
  high: number;
}

export class System {
  readonly objects: number;
  readonly features: number;
  readonly times: Float32Array; // of the path, since begin
  readonly mean: Float32Array[]; // by feature: [object, time]
  readonly low: Float32Array[];
  readonly high: Float32Array[];
  readonly futures: Futures;
  readonly seenTimes: Float32Array; // of observations, since begin
  readonly flags: Uint8Array; // 1: the model saw it, 2: a target
  readonly values: Float32Array[]; // by feature
  readonly offsets: number[]; // [objects + 1]
  readonly duration: number;
  readonly startAt: number; // since begin
  private readonly gaps: number[] = []; // by object: longer pauses are gaps

  constructor(readonly data: SystemData) {
    this.objects = data.objects.ids.length;
    this.times = floats(data.path.times);
    this.mean = data.path.mean.map(unpack);
    this.low = data.path.low.map(unpack);
    this.high = data.path.high.map(unpack);
    this.futures = new Futures(data.futures, this.times);
    this.seenTimes = floats(data.observations.times);
    this.flags = bytes(data.observations.flags);
    this.values = data.observations.values.map(unpack);
    this.features = this.values.length;
    this.offsets = [0];
    for (const n of data.observations.counts) this.offsets.push((this.offsets[this.offsets.length - 1] ?? 0) + n);
    this.duration = data.end - data.begin;
    this.startAt = data.start - data.begin;
    for (let o = 0; o < this.objects; ++o) this.gaps.push(this.typicalGap(o));
  }

  private typicalGap(object: number): number {
    const all: number[] = [];
    for (let k = this.first(object) + 1; k < this.last(object); ++k)
      all.push((this.seenTimes[k] ?? 0) - (this.seenTimes[k - 1] ?? 0));
    all.sort((a, b) => a - b);
    const median = all[Math.floor(all.length / 2)] ?? this.duration;
    return Math.max(4 * median, this.duration / 12);
  }

  first(object: number): number {
    return this.offsets[object] ?? 0;
  }
  last(object: number): number {
    return this.offsets[object + 1] ?? 0;
  }
  isSeen(k: number): boolean {
    return ((this.flags[k] ?? 0) & 1) !== 0;
  }
  // Whether there is a gap between observation k - 1 and k.
  isGap(object: number, k: number): boolean {
    return (this.seenTimes[k] ?? 0) - (this.seenTimes[k - 1] ?? 0) > (this.gaps[object] ?? 0);
  }

  // On the line between neighbouring observations that have the value; NaN outside them and in gaps.
  truth(object: number, feature: number, t: number): number {
    const values = this.values[feature];
    if (!values) return NaN;
    let low = this.first(object) - 1;
    let high = this.last(object);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.seenTimes[middle] ?? 0) <= t + 1e-6) low = middle;
      else high = middle;
    }
    while (low >= this.first(object) && Number.isNaN(values[low] ?? NaN)) --low;
    while (high < this.last(object) && Number.isNaN(values[high] ?? NaN)) ++high;
    if (low < this.first(object)) return NaN;
    const a = values[low] ?? NaN;
    const from = this.seenTimes[low] ?? 0;
    if (Math.abs(from - t) < 1e-5 * Math.max(1, this.duration)) return a;
    if (high >= this.last(object)) return NaN;
    const to = this.seenTimes[high] ?? 0;
    if (to - from > (this.gaps[object] ?? 0)) return NaN;
    return a + (((values[high] ?? NaN) - a) * (t - from)) / (to - from);
  }

  private readPath(list: Float32Array[], object: number, feature: number, t: number): number {
    const n = this.times.length;
    const begin = this.times[0] ?? 0;
    const end = this.times[n - 1] ?? 0;
    const values = list[feature];
    if (n < 2 || !values || t < begin - 1e-5 || t > end + 1e-5) return NaN;
    const at = Math.min(Math.max(((t - begin) / (end - begin)) * (n - 1), 0), n - 1);
    const k = Math.min(Math.floor(at), n - 2);
    const a = values[object * n + k] ?? NaN;
    const b = values[object * n + k + 1] ?? NaN;
    return a + (at - k) * (b - a);
  }
  predicted(object: number, feature: number, t: number): number {
    return this.readPath(this.mean, object, feature, t);
  }

  read(object: number, feature: number, t: number): Reading {
    return {
      truth: this.truth(object, feature, t),
      mean: this.predicted(object, feature, t),
      low: this.readPath(this.low, object, feature, t),
      high: this.readPath(this.high, object, feature, t),
    };
  }

  // Smallest and largest of a feature over observations, path and futures.
  range(feature: number): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const list of [this.values[feature], this.mean[feature], this.futures.all(feature)])
      for (const x of list ?? [])
        if (Number.isFinite(x)) {
          low = Math.min(low, x);
          high = Math.max(high, x);
        }
    return low <= high ? [low, high] : [0, 1];
  }
}
