// Screenshots of a page: node screenshots.mjs PAGE PREFIX; scripts/screenshots.sh calls it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [page, prefix] = [resolve(process.argv[2]), process.argv[3]];
const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"];
flags.push("--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader");
flags.push("--enable-unsafe-swiftshader");

async function shoot(name, width, height, dark, prepare) {
  const profile = mkdtempSync(join(tmpdir(), "lgode-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.LGODE_CHROMIUM,
    headless: true,
    args: flags,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
  });
  const tab = context.pages()[0] ?? (await context.newPage());
  await tab.goto(`file://${page}`);
  await tab.waitForSelector("html[data-ready=yes]");
  await tab.evaluate(() => (document.documentElement.style.scrollBehavior = "auto"));
  await prepare(tab);
  await tab.waitForTimeout(400);
  await tab.screenshot({ path: `${prefix}-${name}.png` });
  await context.close();
  rmSync(profile, { recursive: true, force: true });
  console.log(`${prefix}-${name}.png`);
}

// A system of middling error, some way into its prediction.
async function play(tab, share) {
  const median = tab.locator(".thumb.median");
  if (await median.count()) await median.click();
  await tab.locator("#scrub").fill(String(share));
  await tab.waitForTimeout(300);
}
const top = (selector) => (tab) =>
  tab.evaluate((s) => {
    const box = document.querySelector(s).getBoundingClientRect();
    scrollBy(0, box.top - 54);
  }, selector);

await shoot("summary", 1180, 760, false, async () => {});
await shoot("systems", 1180, 980, false, async (tab) => {
  await play(tab, 720);
  await top(".viewer")(tab);
});
await shoot("phone", 400, 860, true, async (tab) => {
  await play(tab, 720);
  await top(".viewer")(tab);
});
