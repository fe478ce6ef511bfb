// Fails for anything that web-ext lint finds, besides the warnings that cannot be avoided:
// web-ext lint --source-dir src --output json | node tools/lint.js
import { readFileSync } from "node:fs";

/** Warnings that stay, with the reason. @type {Record<string, string>} */
const KNOWN = {
  BACKGROUND_SERVICE_WORKER_IGNORED: "one manifest serves both browsers: Chromium takes the service worker, Firefox the script",
};

const { errors, warnings, notices } = JSON.parse(readFileSync(0, "utf8"));
const bad = [...errors, ...notices, ...warnings].filter(({ code }) => !Object.hasOwn(KNOWN, code));
for (const { code, message, file } of bad) console.error(`${code} ${file ?? ""}: ${message}`);
if (bad.length > 0) process.exitCode = 1;
