// Shared by the browser tests: the command, a browser that notes what a page does, and checks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "../../viewer/node_modules/playwright-core/index.mjs";

export const folder = mkdtempSync(join(tmpdir(), "lgode-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// Options of a model small enough to train within a second.
export function tiny(changes = {}) {
  const options = { epochs: 1, batch: 8, hidden: 8, state: 4, step: 0.25, threads: 2, ...changes };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

export function run(...words) {
  const out = spawnSync(process.env.LGODE, words, { cwd: folder, encoding: "utf8" });
  return { code: out.status, out: out.stdout, err: out.stderr };
}
export function lgode(...words) {
  const result = run(...words);
  assert.equal(result.code, 0, `lgode ${words.join(" ")}\n${result.out}${result.err}`);
  return result.out;
}

export const path = (...names) => join(folder, ...names);

// The number that the page shows as text, at full precision next to it.
export async function valueOf(page, selector) {
  const text = await page.locator(selector).first().getAttribute("data-value");
  assert.notEqual(text, null, `${selector} has no data-value`);
  return Number(text);
}

export function isBlank(png) {
  // A blank picture compresses to almost nothing.
  return png.length < 2500;
}

// Opens a page and calls `look`; fails on console errors, on uncaught errors and on requests. `webgl`: by a program
// instead of a graphics card, which is slow, so only where it is needed.
export async function withPage(file, look, { width = 1280, height = 900, dark = false, webgl = false, hash = "" } = {}) {
  const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  flags.push("--disable-component-update", "--disable-sync");
  if (webgl) flags.push("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader");
  else flags.push("--disable-gpu", "--disable-3d-apis");
  const profile = mkdtempSync(join(tmpdir(), "lgode-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.LGODE_CHROMIUM,
    headless: true,
    args: flags,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const complaints = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(`${m.type()}: ${m.text()}`));
    page.on("pageerror", (e) => complaints.push(`uncaught: ${e.message}`));
    page.on("dialog", (d) => (complaints.push(`dialog: ${d.message()}`), d.dismiss()));
    page.on("request", (r) => {
      const kind = new URL(r.url()).protocol;
      const opened = kind === "file:" && r.isNavigationRequest(); // by the test
      if (!opened && kind !== "data:") complaints.push(`request: ${r.url()}`);
    });
    await page.goto(`file://${file}${hash}`);
    await page.waitForSelector("html[data-ready=yes]", { timeout: 20000 });
    await page.waitForTimeout(150);
    await look(page);
    // Messages of the graphics driver are about speed, not about the page.
    const real = complaints.filter((c) => !/GPU stall due to ReadPixels|GL Driver Message/.test(c));
    assert.deepEqual(real, [], "the page complained");
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

export const dataOf = (file) => JSON.parse(/id="data">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))[1]);
export { assert };
