import './disk.js';
import { runHistory } from './history.js';
import { shrink } from './shrink.js';

/*
 * node --import ./scripts/typescript.mjs test/simulation/run.ts SEED COUNT
 * Runs the histories of so many seeds, from one on. Prints what broke, shrunk, and ends with 1 if anything did. One seed
 * alone is printed whole.
 */

const [first = 1, count = 1] = process.argv.slice(2).map(Number);
// The first history loads modules, which takes turns of the loop that no later one takes.
await runHistory(0);
let broken = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const outcome = await runHistory(seed);
  if (outcome.broken !== null) {
    broken += 1;
    const shrunk = await shrink(seed, outcome);
    console.log([`seed ${seed}: ${shrunk.steps.length} steps`, ...shrunk.outcome.log].join('\n'));
  } else if (count === 1) console.log(outcome.log.join('\n'));
}
const { user, system } = process.cpuUsage();
console.log(
  `${count} histories from seed ${first}, ${broken} broken, ${((user + system) / 1e6).toFixed(1)} s of processor time`,
);
process.exitCode = broken > 0 ? 1 : 0;
