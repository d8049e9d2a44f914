import { type Outcome, planOf, runHistory, type Step } from './history.js';

/** Maximum runs, so that a long history is printed within a minute. */
const maxRuns = 120;

/** Removes steps from a broken history as long as it remains broken, in ever smaller groups. */
export async function shrink(
  seed: number,
  first: Outcome,
): Promise<{ readonly steps: readonly Step[]; readonly outcome: Outcome }> {
  let [steps, outcome, runs] = [planOf(seed), first, 0];
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length && runs < maxRuns; runs += 1) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      const tried = await runHistory(seed, fewer);
      if (tried.broken === null) from += size;
      else [steps, outcome] = [fewer, tried];
    }
  }
  return { steps, outcome };
}
