// Bundles the page into dist/: everything that it needs, nothing is fetched from elsewhere later.

import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

const RUNTIME = "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded";

mkdirSync("dist", { recursive: true });
await build({
  entryPoints: ["main.js"],
  bundle: true,
  format: "esm",
  minify: true,
  outfile: "dist/main.js",
});
for (const file of ["index.html", "style.css"]) copyFileSync(file, `dist/${file}`);
for (const ending of ["wasm", "mjs"]) copyFileSync(`${RUNTIME}.${ending}`, `dist/ort-wasm-simd-threaded.${ending}`);
