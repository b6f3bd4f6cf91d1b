// Numbers and names for people, as the command prints them.
import type { Method } from "./types";

// Like %.4g of C.
export function general(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(Number(x.toPrecision(digits)))));
  const text = exponent < -4 || exponent >= digits + 2 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  const [mantissa = "", power] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power ? `${short}e${power}` : short;
}

// A mean squared error in hundredths, as in the paper's tables.
export function error(mse: number | null | undefined): string {
  if (mse === null || mse === undefined || Number.isNaN(mse)) return "–";
  const x = 100 * mse;
  if (Math.abs(x) >= 100) return x.toFixed(1);
  return x !== 0 && Math.abs(x) < 0.01 ? general(x, 2) : x.toFixed(4);
}

export const percent = (x: number | null | undefined, digits = 1): string =>
  x === null || x === undefined || Number.isNaN(x) ? "–" : `${(100 * x).toFixed(digits)} %`;

export const count = (x: number): string => x.toLocaleString("en-US");

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const plural = (x: number, noun: string): string => `${count(x)} ${noun}${x === 1 ? "" : "s"}`;

export function value(x: unknown): string {
  if (x === null || x === undefined) return "none";
  if (typeof x === "string") return x === "" ? "none" : x;
  if (typeof x === "number") return Number.isInteger(x) ? String(x) : general(x, 6);
  return JSON.stringify(x);
}

// The classical methods, in the order of the command's tables; the page's JSON lists them.
let methods: Method[] = [];
export function useMethods(list: Method[] | undefined): void {
  methods = list ?? [];
}

export function inOrder<T>(classical: Record<string, T>): [string, T][] {
  const place = (key: string): number => {
    const at = methods.findIndex((m) => m.key === key);
    return at < 0 ? methods.length : at;
  };
  return Object.entries(classical).sort((a, b) => place(a[0]) - place(b[0]));
}

export const baseline = (key: string): string => methods.find((m) => m.key === key)?.name ?? key.replace(/_/g, " ");

// Whether a table of forecasts shows the method: another one has the same forecasts otherwise.
export const hasOwnForecasts = (key: string): boolean => methods.find((m) => m.key === key)?.own_forecasts ?? true;

// Whether a table of an evaluation shows the method.
export const isShown = (e: { task: string }, key: string): boolean => e.task === "interpolate" || hasOwnForecasts(key);

export const withUnit = (name: string, unit: string): string => (unit ? `${name} (${unit})` : name);

// A time of the data: a number, and the date where the data has dates.
export function time(t: number, unit: string, origin: string): string {
  if (origin) {
    const date = new Date(origin);
    if (!Number.isNaN(date.getTime())) return new Date(date.getTime() + 1000 * t).toISOString().replace(".000Z", "Z");
  }
  return unit ? `${general(t)} ${unit}` : general(t);
}
