// The pages in a real browser, one case per call: node test.mjs CASE. Each makes its own small runs.
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { assert, dataOf, folder, isBlank, lgode, path, run, tiny, valueOf, withPage } from "./support.mjs";

const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-12 * Math.abs(b), `${what}: ${a} is not ${b}`);

// The page has the same numbers as lgode evaluate.
async function checkNumbers(page, evaluated) {
  const e = evaluated.evaluation;
  near(await valueOf(page, "#card-error"), e.model.mse, "error");
  near(await valueOf(page, "#errors [data-row=model] td:nth-of-type(2)"), e.model.mse_unseen, "unseen");
  for (const [name, scores] of Object.entries(e.classical))
    near(await valueOf(page, `#errors [data-row=${name}] td`), scores.mse, name);
  for (const metric of e.positions.metrics)
    for (const [name, scores] of [["model", e.model], ["hold", e.classical.hold]])
      near(await valueOf(page, `#positions [data-row=${metric.key}] [data-method=${name}]`), scores[metric.key], `${metric.key} of ${name}`);
  assert.ok(e.positions.metrics.length >= 4, "metrics over positions");
  const text = await page.locator("#errors [data-row=model] td").first().textContent();
  const shown = 100 * e.model.mse;
  assert.ok(Math.abs(Number(text) - shown) <= 1e-3 * shown + 5e-5, `${text} is not ${shown}`);
  for (const level of ["50", "80", "90"])
    near(await valueOf(page, `#coverage [data-row=model] [data-level="${level}"]`), e.intervals.model.coverage[level], level);
}

// Playing, stepping and scrubbing move time, objects, values and the cursors of the charts.
async function checkPlayer(page) {
  const stage = page.locator(".stage");
  await stage.scrollIntoViewIfNeeded();
  const time = async () => Number(await stage.getAttribute("data-time"));
  const now = () => page.locator("#now").textContent();
  await page.locator("#scrub").fill("400");
  const [time0, now0, picture0] = [await time(), await now(), await stage.screenshot()];
  assert.ok(!isBlank(picture0), "the stage is blank");
  await page.locator("#play").click();
  await page.waitForTimeout(500);
  await page.locator("#play").click();
  const [time1, now1, picture1] = [await time(), await now(), await stage.screenshot()];
  assert.ok(time1 > time0, `playing went from ${time0} to ${time1}`);
  assert.notEqual(now1, now0, "values stayed");
  assert.ok(!picture1.equals(picture0), "objects stayed");
  await page.waitForTimeout(150);
  assert.equal(await time(), time1, "paused, but it moved");
  await page.locator("#scrub").fill("500");
  const middle = await time();
  const cursor = () => page.locator(".series .now").first().getAttribute("style");
  const cursor0 = await cursor();
  await page.locator("#scrub").fill("600");
  assert.ok((await time()) > middle);
  assert.notEqual(await cursor(), cursor0, "the cursor of the series stayed");
  // By keys.
  await page.locator("#system-title").click();
  const before = await time();
  await page.keyboard.press("ArrowRight");
  assert.ok((await time()) > before);
  await page.keyboard.press("Home");
  const first = await time();
  await page.keyboard.press("End");
  assert.ok((await time()) > first);
  await page.keyboard.press("-");
  assert.equal(await page.locator("#speed").inputValue(), "0.5");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  // A busy machine draws its first frame late.
  for (let tries = 0; tries < 100 && !((await time()) > first); ++tries) await page.waitForTimeout(50);
  await page.keyboard.press(" ");
  assert.ok((await time()) > first, "space does not play");
}

async function checkSwitching(page, systems) {
  const seen = new Set();
  const title = page.locator("#system-title");
  for (const index of systems) {
    await page.locator(`.thumb[data-system="${index}"]`).click();
    assert.equal(await page.locator("#systems").getAttribute("data-system"), String(index));
    seen.add(await title.textContent());
  }
  assert.equal(seen.size, systems.length);
  if (systems.length < 2) return;
  await title.click();
  const last = await title.textContent();
  await page.keyboard.press("p");
  assert.notEqual(await title.textContent(), last, "p did not change the system");
  await page.keyboard.press("n");
  assert.equal(await title.textContent(), last);
}

async function checkHover(page) {
  await page.locator(".stage canvas").scrollIntoViewIfNeeded();
  const box = await page.locator(".stage canvas").boundingBox();
  // Somewhere near an object: scan the stage until a tooltip appears.
  const step = 28; // an object answers from 18 pixels around it
  for (let y = 0.15 * box.height; y < 0.95 * box.height; y += step)
    for (let x = 0.1 * box.width; x < 0.95 * box.width; x += step) {
      await page.mouse.move(box.x + x, box.y + y);
      if (await page.evaluate(() => !document.querySelector(".stage .tooltip").hidden)) return;
    }
  assert.fail("no object answers to the mouse");
}

const cases = {
  async springs() {
    lgode("simulate", "springs", "--train", "24", "--test", "6", "--out", "springs.safetensors");
    for (const task of ["extrapolate", "interpolate"]) {
      lgode("train", "springs.safetensors", "--task", task, "--out", task, ...tiny());
      const file = path(task, "report.html");
      const evaluated = JSON.parse(lgode("evaluate", task, "--json"));
      await withPage(file, async (page) => {
        await checkNumbers(page, evaluated);
        await checkSwitching(page, dataOf(file).systems.map((s) => s.system));
        if (task === "interpolate") return;
        assert.equal(await page.locator("#futures, #sort").count(), 0); // of a run of one path
        await checkPlayer(page);
        await page.locator("#scrub").fill("700");
        await checkHover(page);
        for (const part of ["summary", "curves", "horizon", "calibration", "objects", "systems"])
          assert.ok(!isBlank(await page.locator(`#${part}`).screenshot()), `${part} is blank`);
        assert.equal(await page.locator("#card-paper").count(), 1);
        const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        await page.keyboard.press("t");
        assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
        assert.equal(await page.locator("#left-out").count(), 0); // all six systems are shown
      });
    }
    // On a phone nothing overflows sideways; the dark theme is dark.
    await withPage(
      path("extrapolate", "report.html"),
      async (page) => {
        const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= inner, `the page is ${wide} wide on a screen of ${inner}`);
        const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
        assert.ok(red < 60, "a dark page is not dark");
        await checkPlayer(page);
      },
      { width: 390, height: 800, dark: true },
    );
  },

  // Several futures on the stage, by surprise in the gallery, and the best of them over the horizon.
  async futures() {
    lgode("simulate", "springs", "--train", "24", "--test", "12", "--out", "springs.safetensors");
    lgode("train", "springs.safetensors", "--task", "extrapolate", "--futures", "8", "--out", "run", ...tiny());
    const file = path("run", "report.html");
    const { systems } = dataOf(file);
    assert.deepEqual(systems.map((s) => [s.futures.count, s.futures.total, s.futures.stride]), Array(12).fill([6, 8, 4]));
    // Systems have as many objects each, so the mean surprise is minFDE.
    const e = JSON.parse(lgode("evaluate", "run", "--json")).evaluation;
    const mean = systems.reduce((sum, s) => sum + s.surprise, 0) / systems.length;
    assert.ok(Math.abs(mean - e.model.min_fde) < 1e-9 * mean, `${mean} is not ${e.model.min_fde}`);
    const size = statSync(file).size;
    const look = async (page) => {
      const thumbs = () => page.locator(".thumb").evaluateAll((all) => all.map((t) => Number(t.dataset.system)));
      assert.deepEqual(await thumbs(), systems.map((s) => s.system));
      await page.locator("#sort").selectOption("surprise");
      const surprising = [...systems].sort((a, b) => b.surprise - a.surprise);
      assert.deepEqual(await thumbs(), surprising.map((s) => s.system));
      const shown = parseFloat(await page.locator(".thumb .num").first().textContent());
      assert.ok(Math.abs(shown - surprising[0].surprise) < 0.01 * shown, `${shown} is not ${surprising[0].surprise}`);
      // The next system is the next one of the gallery.
      await page.locator(".thumb").first().click();
      await page.getByLabel("next system").click();
      assert.equal(await page.locator("#systems").getAttribute("data-system"), String(surprising[1].system));
      assert.match(await page.locator("#system-about").textContent(), /surprise .* from the nearest of 8 futures/);
      const canvas = page.locator(".stage canvas");
      assert.match(await canvas.getAttribute("aria-label"), /the 6 most probable of 8 futures of each object/);
      // They are there from the start of the path on, until the entry of the legend hides them.
      const picture = () => canvas.evaluate((c) => c.toDataURL());
      const pressed = () => page.locator("#futures").getAttribute("aria-pressed");
      for (const [at, differs] of [["0", false], ["900", true]]) {
        await page.locator("#scrub").fill(at);
        const on = await picture();
        assert.equal(await pressed(), "true");
        await page.locator("#futures").click();
        assert.equal(await pressed(), "false");
        assert.equal((await picture()) !== on, differs, `at ${at}`);
        await page.locator("#system-title").click();
        await page.keyboard.press("f");
        assert.equal(await pressed(), "true");
        assert.ok((await picture()) === on, "other futures than before");
      }
      assert.match(await page.locator("#horizon").textContent(), /best of 8 futures \(minADE_8\)/);
      assert.match(await page.locator("#left-out").textContent(), /the 6 most probable of 8/);
      await checkPlayer(page);
    };
    await withPage(file, look);
    await withPage(file, look, { width: 390, height: 800, dark: true });
    lgode("report", "run", "--max-bytes", String(size - 3000));
    assert.ok(statSync(file).size < size - 3000);
    assert.deepEqual(dataOf(file).systems.map((s) => [s.futures.count, s.futures.stride]), Array(12).fill([6, 2])); // half of the times
  },

  async one_object() {
    const rows = ["system,object,time,x,y"];
    for (let s = 0; s < 14; ++s)
      for (let k = 0; k < 30; ++k)
        if ((k * 7 + s) % 5 !== 0) rows.push(`s${s},ball,${k / 10},${Math.cos(k / 8 + s)},${Math.sin(k / 8 + s)}`);
    writeFileSync(path("obs.csv"), rows.join("\n") + "\n");
    lgode("import", "csv", "--observations", "obs.csv", "--edges", "none", "--test-systems", "s10,s11,s12,s13", "--out", "one.safetensors");
    lgode("train", "one.safetensors", "--out", "one", ...tiny());
    await withPage(path("one", "report.html"), async (page) => {
      assert.equal(await page.locator("#object option").count(), 1);
      await checkPlayer(page);
      await checkSwitching(page, dataOf(path("one", "report.html")).systems.map((s) => s.system));
    });
  },

  async motion() {
    const data = resolve(process.env.LGODE_TEST_DATA ?? "../shared/data", "cmu-mocap-35");
    if (!existsSync(join(data, "35.asf"))) {
      console.log(`skipped: motion: no recorded motion at ${data}; LGODE_TEST_DATA says where it is`);
      process.exit(77);
    }
    const trial = (number) => join(data, `35_${number}.amc`);
    lgode("import", "cmu", "--asf", join(data, "35.asf"), "--train", trial("02"), "--test", trial("28"), "--out", "motion.safetensors");
    lgode("train", "motion.safetensors", "--task", "extrapolate", "--out", "motion", ...tiny());
    const file = path("motion", "report.html");
    assert.ok(statSync(file).size < 5e6);
    const look = (kind) => async (page) => {
      assert.equal(await page.locator(".stage").getAttribute("data-kind"), kind);
      assert.equal(await page.locator("#object option").count(), 31);
      await checkPlayer(page);
      await checkSwitching(page, dataOf(file).systems.slice(0, 2).map((s) => s.system));
      await page.locator("#scrub").fill("700");
      const canvas = page.locator(".stage canvas");
      const before = await canvas.screenshot();
      assert.ok(!isBlank(before), "the stage is blank");
      const box = await canvas.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 120, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
      await page.mouse.move(box.x + 5, box.y + 5);
      assert.ok(!(await canvas.screenshot()).equals(before), "dragging does not turn the view");
      await checkHover(page);
    };
    await withPage(file, look("space"), { webgl: true });
    await withPage(file, look("flat"), { webgl: false });
  },

  async many_objects() {
    const rows = ["system,object,time,x,y,vx,vy"];
    for (let s = 0; s < 7; ++s)
      for (let o = 0; o < 500; ++o)
        for (let k = 0; k < 12; ++k) {
          const angle = k / 3 + o + s;
          const place = [(o % 25) + 0.3 * Math.sin(angle), Math.floor(o / 25) + 0.3 * Math.cos(angle)];
          rows.push([`s${s}`, `o${o}`, k, ...place, 0.1 * Math.cos(angle), -0.1 * Math.sin(angle)].join(","));
        }
    writeFileSync(path("obs.csv"), rows.join("\n") + "\n");
    lgode("import", "csv", "--observations", "obs.csv", "--edges", "k-nearest=4", "--velocity-of", "vx=x,vy=y", "--test-systems", "s3,s4,s5,s6", "--out", "many.safetensors");
    const out = lgode("train", "many.safetensors", "--out", "many", ...tiny({ batch: 1 }));
    const file = path("many", "report.html");
    assert.ok(statSync(file).size < 5e6, `${statSync(file).size} bytes`);
    assert.match(out, /report: many\/report\.html/);
    const left = dataOf(file).left_out;
    assert.ok(left.length > 0);
    for (const words of left) assert.ok(out.includes(words), `standard output does not say: ${words}`);
    await withPage(file, async (page) => {
      assert.equal(await page.locator("#object option").count(), 500);
      for (const words of left) assert.ok((await page.locator("#left-out").textContent()).includes(words));
      await checkPlayer(page);
      await checkSwitching(page, dataOf(file).systems.map((s) => s.system));
      await page.locator("#scrub").fill("500");
      await checkHover(page);
    });
  },

  async failed() {
    lgode("simulate", "springs", "--train", "24", "--test", "6", "--out", "springs.safetensors");
    const wild = tiny({ epochs: 50, model: "lg-ode", centre: "none", lr: 1e30, warmup: 0, clip: 0 });
    const result = run("train", "springs.safetensors", "--out", "failed", ...wild);
    assert.equal(result.code, 3, result.err);
    await withPage(path("failed", "report.html"), async (page) => {
      assert.match(await page.locator("#state").textContent(), /failed after \d+ of 50 epochs/);
      assert.equal(await page.locator("#systems").count(), 0);
      assert.equal(await page.locator("#curves").count(), 1);
    });
    // One that was stopped: its page comes with what is there, and later with predictions, too.
    const stopped = run("train", "springs.safetensors", "--out", "stopped", ...tiny({ epochs: 3 }), "--stop-after", "4");
    assert.equal(stopped.code, 130);
    await withPage(path("stopped", "report.html"), async (page) => {
      assert.match(await page.locator("#state").textContent(), /stopped after 1 of 3 epochs/);
      assert.ok(!isBlank(await page.locator("#curves").screenshot()));
    });
    lgode("report", "stopped");
    await withPage(path("stopped", "report.html"), async (page) => {
      assert.match(await page.locator("#state").textContent(), /stopped after 1 of 3 epochs/);
      await checkPlayer(page);
    });
    // One that died before its first checkpoint.
    mkdirSync(path("rest"));
    cpSync(path("stopped", "config.json"), path("rest", "config.json"));
    lgode("report", "rest");
    await withPage(path("rest", "report.html"), async (page) => {
      assert.match(await page.locator("#state").textContent(), /no weights/);
    });
  },

  // Names from data are shown as they are, and none of them runs.
  async hostile() {
    const bad = ['</script><script>window.hacked=1</script>', '<img src=x onerror="window.hacked=2">', "<svg onload=window.hacked=3>", "\u2028alert(4)\u2029", '"\'`${window.hacked=5}', "javascript:window.hacked=6", "--><b>bold</b>"];
    const quote = (text) => `"${text.replaceAll('"', '""')}"`;
    const rows = [["system", "object", "time", bad[1], bad[2]].map(quote).join(",")];
    for (let s = 0; s < 10; ++s)
      for (const [o, object] of bad.entries())
        for (let k = 0; k < 12; ++k) rows.push([quote(bad[0] + s), quote(object), k, Math.sin(k + s + o), Math.cos(k + o)].join(","));
    writeFileSync(path("obs.csv"), rows.join("\n") + "\n");
    lgode("import", "csv", "--observations", "obs.csv", "--edges", "all", "--test-systems", "*7,*8,*9", "--out", "bad.safetensors");
    const name = "<img src=x onerror=window.hacked=7>";
    lgode("train", "bad.safetensors", "--out", name, ...tiny());
    lgode("plot", name, "--out", "fig.svg");
    lgode("compare", name, name, "--out", "compare.html");
    const look = async (page) => {
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.locator("main img, main script, main b:text('bold')").count(), 0);
      assert.equal(await page.evaluate(() => document.querySelectorAll("svg[onload], [onerror]").length), 0);
    };
    const file = path(name, "report.html");
    await withPage(encodeURI(file), async (page) => {
      await look(page);
      assert.equal(await page.locator("h1").textContent(), name);
      assert.ok((await page.locator("#object").textContent()).includes(bad[0]));
      assert.ok((await page.locator("#series").textContent()).includes(bad[1]));
      await page.locator("#scrub").fill("600");
      await checkHover(page);
      await checkSwitching(page, dataOf(file).systems.map((s) => s.system));
      await look(page);
    });
    await withPage(path("compare.html"), look);
    // The figure as a document of its own, where a script could run.
    await withPage(path("compare.html"), async (page) => {
      await page.goto(`file://${path("fig.svg")}`);
      assert.equal(await page.evaluate(() => document.documentElement.tagName), "svg");
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.evaluate(() => document.querySelectorAll("script, img, [onload], [onerror]").length), 0);
    });
  },

  async compare() {
    lgode("simulate", "springs", "--train", "24", "--test", "6", "--out", "springs.safetensors");
    lgode("train", "springs.safetensors", "--task", "extrapolate", "--out", "a", ...tiny(), "--no-report");
    lgode("train", "springs.safetensors", "--task", "extrapolate", "--out", "b", ...tiny({ lr: 0.002 }), "--no-report");
    assert.ok(!existsSync(path("a", "report.html")));
    lgode("compare", "a", "b", "--out", "compare.html");
    await withPage(path("compare.html"), async (page) => {
      for (const [i, run] of ["a", "b"].entries())
        near(await valueOf(page, `#errors [data-row=error] td:nth-of-type(${i + 1})`), JSON.parse(lgode("evaluate", run, "--json")).test_mse, run);
      assert.deepEqual(await page.locator("#settings .settings").first().locator("tbody tr.differs").evaluateAll((rows) => rows.map((r) => r.dataset.key)), ["lr"]);
      await page.locator("#settings summary").click();
      const colour = (key) => page.locator(`#all-settings [data-key=${key}] td`).first().evaluate((td) => getComputedStyle(td).backgroundColor);
      assert.notEqual(await colour("lr"), await colour("epochs"), "what differs is not highlighted");
      assert.ok(!isBlank(await page.locator("#curves").screenshot()));
    });
  },
};

const name = process.argv[2];
if (!cases[name]) throw new Error(`no case ${name}; there are ${Object.keys(cases).join(", ")}`);
await cases[name]();
rmSync(folder, { recursive: true, force: true });
console.log(`passed: ${name}`);
