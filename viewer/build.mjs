// Builds the viewer: src/main.ts and src/style.css into dist/, with the hashes for the page's content security policy
// and the licences of what is inside. The same sources give the same bytes.
//   node build.mjs [FOLDER]    FOLDER instead of dist
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, { recursive: true });

const result = await build({
  absWorkingDir: here,
  entryPoints: [{ in: "src/main.ts", out: "report" }],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  write: false,
  outdir: out,
});
const texts = Object.fromEntries(
  result.outputFiles.map((file) => [file.path.endsWith(".css") ? "report.css" : "report.js", file.text.trim()]),
);
for (const [name, text] of Object.entries(texts)) {
  // What would end the element, or the string that holds it in the program.
  if (/<\/(script|style)|<!--|\)viewer"/i.test(text)) throw new Error(`${name} holds text that a page cannot hold`);
  writeFileSync(join(out, name), text + "\n");
  writeFileSync(join(out, name + ".sha256"), "sha256-" + createHash("sha256").update(text).digest("base64") + "\n");
}

let licences = "This page contains the following programs.\n";
for (const name of ["three", "uplot"]) {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  licences += `\n---- ${about.name} ${about.version} (${about.license}), ${about.homepage}\n\n${text}\n`;
}
writeFileSync(join(out, "LICENSES.txt"), licences);
for (const name of Object.keys(texts)) console.log(`${name}: ${texts[name].length} bytes`);
