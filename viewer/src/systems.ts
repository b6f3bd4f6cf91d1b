// The systems of a report: gallery, stage, controls and values over time, all on one clock.
import { objectColour, onTheme, theme } from "./colours";
import { el, section } from "./dom";
import { count, error, general, time } from "./format";
import { Gallery } from "./gallery";
import { kSpeeds, Player } from "./player";
import { SeriesPanel } from "./series";
import type { Stage } from "./stage";
import { PlaneStage } from "./stage_plane";
import { SpaceStage } from "./stage_space";
import { System } from "./system";
import type { DataFacts, RunReport } from "./types";

const kHelp: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "step in time; with shift: ten steps"],
  ["home end", "first and last time"],
  ["− +", "slower, faster"],
  ["p n", "previous and next system"],
  ["[ ]", "previous and next object"],
  ["a d w s", "turn a stage in space"],
  ["t", "light or dark"],
];

const kFuturesHelp: [string, string] = ["f", "futures on or off"];

class SystemsPanel {
  readonly element: HTMLElement;
  private readonly player = new Player();
  private readonly systems: System[];
  private readonly stage: Stage;
  private readonly gallery: Gallery;
  private readonly series: SeriesPanel;
  private readonly play = el("button", { type: "button", id: "play", class: "primary", "aria-label": "play" }, "▶");
  private readonly scrub = el("input", { type: "range", id: "scrub", min: 0, max: 1000, value: 0, "aria-label": "time" });
  private readonly clock = el("output", { id: "clock", class: "num" });
  private readonly speed = el("select", { id: "speed", "aria-label": "speed" });
  private readonly chooser = el("select", { id: "object", "aria-label": "object" });
  private readonly title = el("h3", { id: "system-title" });
  private readonly about = el("p", { class: "muted", id: "system-about" });
  private readonly now = el("table", { id: "now" });
  private readonly unit: string; // of the positions
  private index = 0;
  private object = 0;
  private withFutures = true;

  constructor(
    report: RunReport,
    private readonly facts: DataFacts,
  ) {
    this.systems = (report.systems ?? []).map((data) => new System(data));
    const positions = facts.features.map((f, i) => (f.position ? i : -1)).filter((i) => i >= 0);
    const options = { facts, positions, select: (object: number): void => this.select(object) };
    this.stage = positions.length === 3 ? new SpaceStage(options) : new PlaneStage(options);
    this.unit = facts.features[positions[0] ?? -1]?.unit ?? "";
    this.gallery = new Gallery(this.systems, positions, this.unit, (index) => this.show(index));
    this.series = new SeriesPanel(facts, this.player);
    for (const s of kSpeeds) this.speed.append(el("option", { value: s, selected: s === 1 }, `${s} ×`));
    this.play.addEventListener("click", () => this.player.toggle());
    this.scrub.addEventListener("input", () => this.player.seek((Number(this.scrub.value) / 1000) * this.player.duration));
    this.speed.addEventListener("change", () => {
      this.player.speed = Number(this.speed.value);
    });
    this.chooser.addEventListener("change", () => this.select(Number(this.chooser.value)));
    this.player.onChange(() => this.draw());
    onTheme(() => this.stage.redraw());
    const step = (label: string, words: string, by: number): HTMLElement => {
      const button = el("button", { type: "button", "aria-label": words, title: words }, label);
      button.addEventListener("click", () => this.step(by));
      return button;
    };
    this.element = section(
      "systems",
      "Systems",
      "Each is predicted from what the evaluation showed of it. Choose one, press play, drag the slider or click a chart.",
      this.gallery.element,
      el(
        "div",
        { class: "viewer" },
        el("div", { class: "head" }, el("div", {}, this.title, this.about), el("div", { class: "steps" }, step("‹", "previous system", -1), step("›", "next system", 1))),
        el(
          "div",
          { class: "split" },
          el(
            "div",
            { class: "left" },
            this.stage.element,
            el("div", { class: "controls" }, this.play, this.scrub, this.clock, el("label", {}, "speed ", this.speed)),
            this.legend(),
          ),
          el("div", { class: "right" }, el("label", { class: "object" }, "object ", this.chooser), this.now),
        ),
        this.series.element,
      ),
      el(
        "details",
        { class: "help" },
        el("summary", {}, "Keys"),
        el("dl", {}, ...(this.anyFutures ? [...kHelp, kFuturesHelp] : kHelp).map(([key, words]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)))),
      ),
    );
    this.show(0);
    addEventListener("keydown", (event) => this.key(event));
  }

  private legend(): HTMLElement {
    const legend = el("div", { class: "keys" });
    const fill = (): void => {
      const t = theme();
      const entry = (kind: string, colour: string, words: string): HTMLElement => {
        const mark = el("i", { class: `mark ${kind}` });
        mark.style.color = colour;
        return el("span", { class: "key" }, mark, words);
      };
      const first = (this.systems[0]?.objects ?? 0) <= 7 && this.stage instanceof PlaneStage ? objectColour(0) : t.model;
      const space = this.stage instanceof SpaceStage;
      legend.replaceChildren(
        entry(space ? "disc" : "ring", t.truth, "truth now"),
        entry("disc", first, "prediction now"),
        entry("dashed", space ? t.truth : first, "true path"),
        entry("dot", space ? t.accent : first, "observed"),
        ...(this.anyFutures ? [this.futuresSwitch(entry("fan", space ? t.accent : first, "futures"))] : []),
        entry("area", space ? t.accent : first, "90 % band"),
        entry("thin", t.ink, space ? "bones or relations" : "relations"),
      );
    };
    fill();
    onTheme(fill);
    return legend;
  }

  private get anyFutures(): boolean {
    return this.systems.some((system) => system.futures.count > 0);
  }
  // The entry of the legend that shows and hides them.
  private futuresSwitch(entry: HTMLElement): HTMLElement {
    const button = el("button", { type: "button", id: "futures", title: "show or hide (f)" });
    button.setAttribute("aria-pressed", String(this.withFutures));
    button.append(...entry.childNodes);
    button.addEventListener("click", () => this.toggleFutures());
    return button;
  }
  private toggleFutures(): void {
    this.withFutures = !this.withFutures;
    this.element.querySelector("#futures")?.setAttribute("aria-pressed", String(this.withFutures));
    this.stage.showFutures(this.withFutures);
  }

  private step(by: number): void {
    if (this.systems.length > 0) this.show(this.gallery.next(this.index, by));
  }

  private get system(): System | undefined {
    return this.systems[this.index];
  }

  private show(index: number): void {
    this.index = index;
    const system = this.system;
    if (!system) return;
    const d = system.data;
    this.object = Math.min(this.object, system.objects - 1);
    if (d.objects.mse[this.object] === null) // without targets: rather one that has some
      this.object = Math.max(d.objects.mse.findIndex((mse) => mse !== null), 0);
    this.gallery.mark(this.index);
    this.title.textContent = `System ${d.id}`;
    const rank = d.rank ? `the ${d.rank} of ${count(d.of)}` : `place ${count(d.place)} of ${count(d.of)}`;
    const words = [
      `error ${error(d.mse)} × 10⁻², ${rank}`,
      ...(typeof d.surprise === "number"
        ? [`surprise ${general(d.surprise, 3)} ${this.unit}`.trim() + `, from the nearest of ${system.futures.total || "several"} futures`]
        : []),
      `index ${d.system}, ${d.part} part`,
      `${count(d.objects.total)} objects${d.objects.total > system.objects ? `, ${system.objects} shown` : ""}`,
      `${count(d.relations_total)} relations${d.relations_total * 3 > d.relations.length ? `, ${count(d.relations.length / 3)} shown` : ""}`,
    ];
    this.about.textContent = words.join(" · ");
    this.chooser.replaceChildren(
      ...d.objects.ids.map((id, o) => el("option", { value: o }, `${id}${d.objects.mse[o] === null ? "" : `, error ${error(d.objects.mse[o])}`}`)),
    );
    this.element.dataset["system"] = String(d.system);
    this.stage.show(system);
    this.player.reset(system.duration, d.forecast ? system.startAt : 0);
    this.select(this.object);
  }

  private select(object: number): void {
    const system = this.system;
    if (!system) return;
    this.object = ((object % system.objects) + system.objects) % system.objects;
    this.chooser.value = String(this.object);
    this.series.show(system, this.object);
    this.draw();
  }

  private draw(): void {
    const system = this.system;
    if (!system) return;
    const { time: t, duration, playing, speed } = this.player;
    this.stage.draw(t, this.object);
    this.series.moveCursor();
    this.scrub.value = String(duration > 0 ? Math.round((1000 * t) / duration) : 0);
    const words = time(system.data.begin + t, this.facts.time_unit, this.facts.time_origin);
    this.clock.textContent = words;
    this.scrub.setAttribute("aria-valuetext", words);
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", playing ? "pause" : "play");
    this.speed.value = String(speed);
    this.stage.element.dataset["time"] = String(system.data.begin + t);
    this.now.replaceChildren(
      el("tr", {}, el("th", {}, "now"), el("th", { class: "num" }, "truth"), el("th", { class: "num" }, "predicted"), el("th", { class: "num" }, "90 %")),
      ...this.facts.features.map((feature, f) => {
        const r = system.read(this.object, f, t);
        const inside = Number.isNaN(r.truth) || Number.isNaN(r.low) ? "" : r.truth >= r.low && r.truth <= r.high ? " inside" : " outside";
        return el(
          "tr",
          { class: inside.trim() },
          el("th", { scope: "row" }, feature.name, feature.unit ? el("small", {}, feature.unit) : null),
          el("td", { class: "num" }, general(r.truth)),
          el("td", { class: "num" }, general(r.mean)),
          el("td", { class: "num" }, Number.isNaN(r.low) ? "–" : `${general(r.low, 3)} to ${general(r.high, 3)}`),
        );
      }),
    );
  }

  private key(event: KeyboardEvent): void {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target !== this.scrub)) return;
    const button = target instanceof HTMLButtonElement || target instanceof HTMLElement && target.tagName === "SUMMARY";
    const step = (this.player.duration / 100) * (event.shiftKey ? 10 : 1);
    const turn = (dx: number, dy: number): void => {
      if (this.stage instanceof SpaceStage) this.stage.turn(dx, dy);
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.player.seek(this.player.time - step),
      ArrowRight: () => this.player.seek(this.player.time + step),
      Home: () => this.player.seek(0),
      End: () => this.player.seek(this.player.duration),
      "+": () => this.player.faster(1),
      "=": () => this.player.faster(1),
      "-": () => this.player.faster(-1),
      n: () => this.step(1),
      p: () => this.step(-1),
      f: () => this.toggleFutures(),
      "]": () => this.select(this.object + 1),
      "[": () => this.select(this.object - 1),
      a: () => turn(-0.1, 0),
      d: () => turn(0.1, 0),
      w: () => turn(0, 0.1),
      s: () => turn(0, -0.1),
    };
    if (event.key === " " && !button) actions[" "] = (): void => this.player.toggle();
    const action = actions[event.key];
    if (!action) return;
    // The page scrolls with Home and End, unless the systems are in view.
    const box = this.element.getBoundingClientRect();
    if ((event.key === "Home" || event.key === "End" || event.key === " ") && (box.bottom < 0 || box.top > innerHeight)) return;
    event.preventDefault();
    action();
  }
}

export function systems(report: RunReport): HTMLElement | null {
  if (!report.systems?.length || !report.data) return null;
  return new SystemsPanel(report, report.data).element;
}

