import './disk.js';
import { foundHistories } from './found.js';
import { runHistory } from './history.js';
import { shrink } from './shrink.js';

/*
 * node --import ./scripts/typescript.mjs test/simulation/run.ts SEED COUNT|SECONDSs
 * Runs the histories that once failed, then the given number of seeds from SEED on, or as many as the time allows.
 * Stops at the first failure, prints its shrunk history, and exits with 1. A single seed is printed in full.
 */

const [first = '1', limit = '1'] = process.argv.slice(2);
const count = limit.endsWith('s') ? Number.POSITIVE_INFINITY : Number(limit);
const seconds = limit.endsWith('s') ? Number.parseFloat(limit) : Number.POSITIVE_INFINITY;
// The other clocks are the simulation's.
const [startedAt] = process.hrtime();
const hasTime = () => process.hrtime()[0] - startedAt < seconds;

// The first history also loads modules, which takes additional turns of the event loop.
await runHistory(0);
for (const { seed, steps, broke } of foundHistories) {
  const { broken, log } = await runHistory(seed, steps);
  if (broken === null) continue;
  console.log([`Again: ${broke}`, ...log].join('\n'));
  process.exit(1);
}
let seed = Number(first);
for (; seed < Number(first) + count && hasTime(); seed += 1) {
  const outcome = await runHistory(seed);
  if (count === 1) console.log(outcome.log.join('\n'));
  if (outcome.broken === null) continue;
  const shrunk = await shrink(seed, outcome);
  console.log(shrunk.outcome.log.join('\n'));
  const steps = shrunk.steps.map((step) => `${step.name} ${step.seed}`);
  console.log(`For found.ts: seed ${seed}, '${steps.join(', ')}'`);
  process.exitCode = 1;
  break;
}
const { user, system } = process.cpuUsage();
console.log(
  `${seed - Number(first)} histories from seed ${first}, ${((user + system) / 1e6).toFixed(1)} s of processor time`,
);
