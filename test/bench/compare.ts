import { performance } from 'node:perf_hooks';

/** Time of one thing as a multiple of another's. Both run alternately, so that the machine's load cancels out. */
export interface Ratio {
  readonly ours: number;
  readonly theirs: number;
  /** Median over the rounds of ours / theirs. */
  readonly ratio: number;
}

/** Milliseconds of processor time that this process has used, by all its threads. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Times in turn, `rounds` times, `repeats` runs each; milliseconds a run, by `now`. A warm-up of each goes first. */
export async function compare(
  ours: () => unknown,
  theirs: () => unknown,
  {
    rounds = 15,
    repeats = 20,
    warmUp = 3,
    now = () => performance.now(),
  }: { rounds?: number; repeats?: number; warmUp?: number; now?: () => number } = {},
): Promise<Ratio> {
  const time = async (work: () => unknown) => {
    const from = now();
    for (let run = 0; run < repeats; run += 1) await work();
    return (now() - from) / repeats;
  };
  for (let round = 0; round < warmUp; round += 1) {
    await time(ours);
    await time(theirs);
  }
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes, so that neither always pays for the other's garbage.
    if (round % 2 === 0) pairs.push([await time(ours), await time(theirs)]);
    else {
      const second = await time(theirs);
      pairs.push([await time(ours), second]);
    }
  }
  return {
    ours: median(pairs.map(([a]) => a)),
    theirs: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

/** Formats one line of the benchmark: the measurement, the ratio, the goal, and whether it was reached. */
export function report(
  what: string,
  { ours, theirs, ratio }: Ratio,
  goal: { atMost?: number; atLeast?: number },
): void {
  const isMet = ratio <= (goal.atMost ?? Number.POSITIVE_INFINITY) && ratio >= (goal.atLeast ?? 0);
  const bound = goal.atMost === undefined ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
  const figures = `${ours.toPrecision(3)} / ${theirs.toPrecision(3)} ms`;
  console.log(
    `${isMet ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2).padStart(6)}  ${bound.padEnd(14)}  ${what} (${figures})`,
  );
}
