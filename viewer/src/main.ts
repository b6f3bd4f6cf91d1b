// The page: reads the JSON that it holds and builds everything else.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { followSystemTheme, toggleTheme } from "./colours";
import { comparison } from "./compare";
import { calibration, curves, horizon, objects } from "./diagnosis";
import { el, type Child } from "./dom";
import { percent, useMethods, value } from "./format";
import { modelName, summary } from "./summary";
import { systems } from "./systems";
import type { Report, RunReport } from "./types";

const kFormat = 1;

function read(): Report {
  const text = document.getElementById("data")?.textContent ?? "";
  const report = JSON.parse(text) as Report;
  if (report.format !== kFormat) throw new Error(`this page has format ${report.format}, its viewer reads ${kFormat}`);
  return report;
}

function subtitle(report: RunReport): string {
  const e = report.evaluation;
  const of = (key: string): unknown => report.settings.find((s) => s.key === key)?.value;
  return [
    e ? modelName(e) : value(of("model")),
    `${value(of("task"))}, ${percent(Number(of("observed")), 0)} observed`,
    report.data?.name ?? value(of("data")),
  ].join(" · ");
}

function header(title: string, under: string, parts: HTMLElement[]): HTMLElement {
  const button = el("button", { type: "button", id: "theme", "aria-label": "light or dark", title: "light or dark (t)" }, "◐");
  button.addEventListener("click", toggleTheme);
  addEventListener("keydown", (e) => {
    if (e.key === "t" && !e.ctrlKey && !e.metaKey && !(e.target instanceof HTMLSelectElement)) toggleTheme();
  });
  const nav = el("nav", { "aria-label": "parts of the page" });
  for (const part of parts) nav.append(el("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? ""));
  return el("header", {}, el("div", { class: "top" }, el("div", {}, el("h1", {}, title), el("p", { class: "under" }, under)), button), nav);
}

function footer(report: Report): HTMLElement {
  const left = report.kind === "run" ? report.left_out : [];
  return el(
    "footer",
    {},
    left.length ? el("div", { id: "left-out" }, el("b", {}, "Not on this page"), el("ul", {}, ...left.map((words) => el("li", {}, words)))) : null,
    el("p", {}, `Made by lgode ${report.made_by.version} (${report.made_by.commit}). The page is one file and loads nothing.`),
    el("details", {}, el("summary", {}, "Licences"), el("pre", {}, report.licences)),
  );
}

function build(): void {
  const page = document.getElementById("page");
  if (!page) return;
  followSystemTheme();
  const report = read();
  useMethods(report.methods);
  const children: Child[] =
    report.kind === "compare"
      ? comparison(report)
      : [summary(report), systems(report), curves(report), horizon(report), calibration(report), objects(report)];
  const parts = children.filter((c): c is HTMLElement => c instanceof HTMLElement);
  const head =
    report.kind === "compare"
      ? header(`${report.runs.length} runs`, "side by side", parts)
      : header(report.run.name, subtitle(report), parts);
  page.replaceChildren(head, ...parts, footer(report));
  document.documentElement.dataset["ready"] = "yes";
}

build();
