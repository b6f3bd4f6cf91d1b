// Charts by uPlot in the colours of the theme; drawn again when theme or width change.
import uPlot from "uplot";
import { el } from "./dom";
import { alpha, onTheme, theme } from "./colours";
import { general } from "./format";

export interface Line {
  label: string;
  colour: () => string;
  values: (number | null | undefined)[];
  width?: number;
  dash?: number[];
  points?: boolean;
}

export interface ChartOptions {
  x: number[];
  lines: Line[];
  log?: boolean;
  height?: number;
  xLabel: string;
  yLabel: string;
  format?: (y: number) => string;
  label: string; // for readers of the page
  whole?: boolean; // x are whole numbers
}

const kWholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

function axis(label: string, format: (x: number) => string, size: number): uPlot.Axis {
  const t = theme();
  return {
    stroke: t.muted,
    label,
    labelSize: 22,
    labelFont: "12px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    size,
    grid: { stroke: t.grid, width: 1 },
    ticks: { stroke: t.grid, width: 1, size: 4 },
    values: (_u, ticks) => ticks.map((v) => (v === null || v === undefined ? "" : format(v))),
  };
}

export const axisOf = axis;

// Calls `draw` with the width of the element, now and whenever it or the theme changes.
export function responsive(element: HTMLElement, draw: (width: number) => void): void {
  let width = 0;
  const again = (): void => {
    if (element.clientWidth > 0) draw(element.clientWidth);
  };
  onTheme(again);
  new ResizeObserver(() => {
    if (Math.abs(element.clientWidth - width) < 2) return;
    width = element.clientWidth;
    again();
  }).observe(element);
}

export function chart(options: ChartOptions): HTMLElement {
  const place = el("div", { class: "chart", role: "img", "aria-label": options.label });
  const keys = el("div", { class: "keys" });
  const readout = el("div", { class: "readout", "aria-live": "off" });
  const format = options.format ?? ((y: number): string => general(y));
  let plot: uPlot | null = null;
  const values = options.lines.map(() => el("b"));
  options.lines.forEach((line, i) => {
    const swatch = el("i", { class: line.dash ? "swatch dashed" : "swatch" });
    swatch.style.color = line.colour();
    onTheme(() => (swatch.style.color = line.colour()));
    keys.append(el("span", { class: "key" }, swatch, line.label, " ", values[i] ?? null));
  });
  responsive(place, (width) => {
    plot?.destroy();
    const positive = options.lines.every((line) => line.values.every((v) => v === null || v === undefined || v > 0));
    const log = options.log === true && positive;
    plot = new uPlot(
      {
        width,
        height: options.height ?? 240,
        padding: [10, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
        axes: [
          { ...axis(options.xLabel, (x) => general(x), 46), ...(options.whole ? { incrs: kWholeSteps } : {}) },
          axis(options.yLabel, format, 58),
        ],
        series: [
          {},
          ...options.lines.map(
            (line): uPlot.Series => ({
              label: line.label,
              stroke: line.colour(),
              width: line.width ?? 2,
              ...(line.dash ? { dash: line.dash } : {}),
              points: { show: line.points ?? false, size: 6, fill: line.colour(), stroke: line.colour() },
            }),
          ),
        ],
        hooks: {
          setCursor: [
            (u): void => {
              const at = u.cursor.idx;
              options.lines.forEach((_, i) => {
                const y = at === null || at === undefined ? undefined : u.data[i + 1]?.[at];
                const cell = values[i];
                if (cell) cell.textContent = y === null || y === undefined ? "" : format(y);
              });
              const x = at === null || at === undefined ? undefined : u.data[0]?.[at];
              readout.textContent = x === undefined ? "" : `${options.xLabel}: ${general(x)}`;
            },
          ],
        },
      },
      [options.x, ...options.lines.map((line) => line.values)] as uPlot.AlignedData,
      place,
    );
  });
  return el("figure", { class: "plot" }, keys, place, readout);
}

export { alpha };
