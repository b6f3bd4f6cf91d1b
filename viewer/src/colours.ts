// Okabe and Ito's colours, which colour-blind people can distinguish, and the colours of the present theme.
const kObjects = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
const kObjectsDark = ["#56b4e9", "#ff8a3d", "#2fc79a", "#e29cc4", "#f2c14e", "#4c8fd6", "#b0b0b0"];

export interface Theme {
  dark: boolean;
  ink: string;
  muted: string;
  line: string;
  grid: string;
  panel: string;
  model: string;
  truth: string;
  accent: string;
}

export function isDark(): boolean {
  return document.documentElement.dataset["theme"] === "dark";
}

function setTheme(dark: boolean): void {
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  present = null;
  for (const redraw of listeners) redraw();
}

let chosen = false; // by the reader; until then the system's theme counts
export function toggleTheme(): void {
  chosen = true;
  setTheme(!isDark());
}
export function followSystemTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  setTheme(system.matches);
  system.addEventListener("change", () => {
    if (!chosen) setTheme(system.matches);
  });
}

let present: Theme | null = null;
export function theme(): Theme {
  present ??= readTheme();
  return present;
}

function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    dark: isDark(),
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    grid: read("--grid"),
    panel: read("--panel"),
    model: read("--model"),
    truth: read("--truth"),
    accent: read("--accent"),
  };
}

export function objectColour(index: number): string {
  const list = isDark() ? kObjectsDark : kObjects;
  return list[index % list.length] ?? "#888888";
}

// Lines of baselines and runs: the model first.
export const seriesColour = objectColour;

export function alpha(colour: string, share: number): string {
  const hex = colour.replace("#", "");
  const part = (at: number): number => parseInt(hex.slice(at, at + 2), 16);
  return `rgba(${part(0)}, ${part(2)}, ${part(4)}, ${share})`;
}

const listeners: (() => void)[] = [];
export function onTheme(redraw: () => void): void {
  listeners.push(redraw);
}
