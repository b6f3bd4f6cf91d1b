// The futures of a system, unpacked: paths of each object beside the mean path, with their probabilities.
import { unpack } from "./packed";
import type { FuturesData } from "./types";

export class Futures {
  readonly count: number; // of an object
  readonly total: number; // that the run predicts
  readonly times: number[]; // since begin
  private readonly values: Float32Array[]; // by feature: [object, future, time]
  private readonly probabilities: Float32Array; // [object, future]

  constructor(data: FuturesData | undefined, pathTimes: Float32Array) {
    this.count = data?.count ?? 0;
    this.total = data?.total ?? 0;
    this.times = Array.from(pathTimes).filter((_, k) => k % (data?.stride ?? 1) === 0);
    this.values = data?.values.map(unpack) ?? [];
    this.probabilities = data ? unpack(data.probability) : new Float32Array();
  }

  probability(object: number, future: number): number {
    return this.probabilities[object * this.count + future] ?? NaN;
  }
  // How strongly it is drawn: by its probability next to that of the most probable one, but always visible.
  opacity(object: number, future: number): number {
    const share = this.probability(object, future) / this.probability(object, 0);
    return Number.isFinite(share) ? Math.min(Math.max(0.8 * share, 0.15), 0.8) : 0;
  }
  // The k-th value.
  value(object: number, future: number, feature: number, k: number): number {
    return this.values[feature]?.[(object * this.count + future) * this.times.length + k] ?? NaN;
  }
  at(object: number, future: number, feature: number, t: number): number {
    const n = this.times.length;
    const [begin = NaN, end = NaN] = [this.times[0], this.times[n - 1]];
    if (n < 2 || !(t >= begin - 1e-5 && t <= end + 1e-5)) return NaN;
    const place = Math.min(Math.max(((t - begin) / (end - begin)) * (n - 1), 0), n - 1);
    const k = Math.min(Math.floor(place), n - 2);
    const [a, b] = [this.value(object, future, feature, k), this.value(object, future, feature, k + 1)];
    return a + (place - k) * (b - a);
  }
  // A point per time of a future.
  path<Point>(object: number, future: number, point: (read: (feature: number) => number) => Point): Point[] {
    return this.times.map((_, k) => point((f) => this.value(object, future, f, k)));
  }
  // From the least to the most probable one, in the order in which they are drawn.
  get drawn(): number[] {
    return Array.from({ length: this.count }, (_, j) => this.count - 1 - j);
  }
  all(feature: number): Float32Array {
    return this.values[feature] ?? new Float32Array();
  }
}
