// Breaks a server in every known way and checks its promises. Usage: npm run faults -- [NAME…] [--minutes N] [--seed
// N]. Twenty minutes for all scenarios together, loopback only; the same seed, the same choices.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPlatform } from './platform.js';
import { buildProgram } from './program.js';
import { type Figures, randomFrom } from './scenario.js';
import { scenarios } from './scenarios.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
/** `postgres` selects every scenario whose name begins with it. */
const isNamed = (word: string, name: string) => name === word || name.startsWith(`${word}-`);
const unknown = positionals.find((word) => !scenarios.some(({ name }) => isNamed(word, name)));
if (unknown !== undefined) {
  console.error(`There is no scenario ${unknown}: ${scenarios.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => isNamed(word, name)),
);
const ms = (Number(values.minutes) * 60_000) / chosen.length;
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-faults-'));
console.log(`seed ${values.seed}, ${Math.round(ms / 1000)} s for each of ${chosen.length}`);
const program = await buildProgram();
const platform = await startPlatform(folder);
const rows: string[] = [];
const row = (name: string, seconds: number, words: string) => {
  rows.push(`| ${name} | ${Math.round(seconds)} | ${words} |`);
  console.log(rows.at(-1));
};
const words = (figures: Figures) =>
  Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ');
for (const scenario of chosen) {
  const reason = scenario.skip?.() ?? null;
  if (reason !== null) {
    row(scenario.name, 0, `left out: ${reason}`);
    continue;
  }
  const scenarioFolder = path.join(folder, scenario.name);
  mkdirSync(scenarioFolder);
  const began = performance.now();
  platform.mood = 'answers';
  try {
    const random = randomFrom(Number(values.seed));
    const figures = await scenario.run({ folder: scenarioFolder, ms, program, platform, random });
    row(scenario.name, (performance.now() - began) / 1000, words(figures));
  } catch (error) {
    process.exitCode = 1;
    row(scenario.name, (performance.now() - began) / 1000, `**broken**: ${error}`);
    console.error(error);
  }
  program.killAll();
  rmSync(scenarioFolder, { recursive: true, force: true });
}
platform.close();
program.close();
rmSync(folder, { recursive: true, force: true });
console.log(`\n| scenario | s | figures |\n| --- | --- | --- |\n${rows.join('\n')}`);
// Processes left by a failed scenario must not block the next one.
process.exit();
