import type { Step } from './history.js';

interface FoundHistory {
  /** What was wrong. */
  readonly broke: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}

/** Returns steps from names and seeds. */
const steps = (...pairs: readonly (readonly [name: string, seed: number])[]): readonly Step[] =>
  pairs.map(([name, seed]) => ({ name, seed }));

/** Histories that broke a promise, shrunk. `run.ts` prints a new one. */
export const foundHistories: readonly FoundHistory[] = [
  {
    broke: 'webhooks that a clock which was set back put off',
    seed: 3047,
    steps: steps(
      ['schedule', 1337027304],
      ['schedule', 1362468655],
      ['schedule', 307563821],
      ['job', 1534566122],
      ['schedule', 565089244],
      ['change-schedule', 77533676],
      ['date', 645629598],
      ['power', 989324882],
    ),
  },
  {
    broke: 'a refund that a full disk refused',
    seed: 4045,
    steps: steps(['call', 389753494], ['call', 1876540377], ['full-disk', 1685015647], ['call', 2042379120]),
  },
  {
    broke: 'a grant whose commit was not acknowledged',
    seed: 5073,
    steps: steps(
      ['account', 1420123136],
      ['pass', 976802449],
      ['failed-sync', 1966833948],
      ['grant', 2125553531],
    ),
  },
  {
    broke: 'results that tell of someone suppressed since',
    seed: 8035,
    steps: steps(
      ['job', 935942912],
      ['pass', 1604127608],
      ['job', 430433100],
      ['start', 1952875518],
      ['pass', 1184098531],
      ['forget', 560784947],
      ['allow', 1466894750],
      ['failed-sync', 1323511675],
      ['results', 2013080739],
    ),
  },
  {
    broke: 'lines written after the money of their job',
    seed: 10000,
    steps: steps(['job', 1331523377], ['job', 1441611572]),
  },
];
