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
    seed: 74,
    steps: steps(
      ['job', 1720498655],
      ['job', 1829709422],
      ['start', 394594989],
      ['redeliver', 1119952648],
      ['date', 502906525],
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
    seed: 33,
    steps: steps(
      ['call', 1588848491],
      ['job', 1385925298],
      ['forget', 1286464259],
      ['grant', 188854904],
      ['results', 479010941],
    ),
  },
  {
    broke: 'lines written after the money of their job',
    seed: 10000,
    steps: steps(['job', 1331523377], ['job', 1441611572]),
  },
  {
    broke: 'a redelivery that the attempt under way ended',
    seed: 158,
    steps: steps(
      ['job', 1693392325],
      ['job', 181814577],
      ['job', 381998516],
      ['job', 1955001589],
      ['grant', 1372730989],
      ['slow-disk', 593104255],
      ['job', 1487382044],
      ['pass', 1158906883],
      ['pass', 2089934833],
      ['redeliver', 2063793136],
    ),
  },
  {
    broke: 'results deleted by a date that leapt',
    seed: 7,
    steps: steps(
      ['job', 712411358],
      ['job', 636399587],
      ['date', 209854586],
      ['schedule', 1401146701],
      ['date', 1378457973],
    ),
  },
  {
    broke: 'a shared fetch that told a later call of someone suppressed',
    seed: 1,
    steps: steps(
      ['call', 492659253],
      ['call', 435720154],
      ['forget', 1772473831],
      ['pass', 1390280584],
      ['call', 2024146547],
    ),
  },
  {
    broke: 'a time of a schedule that two nodes ran',
    seed: 122,
    steps: steps(
      ['job', 1048385312],
      ['schedule', 1492568455],
      ['job', 1804297059],
      ['date', 1845264614],
      ['power', 232710353],
    ),
  },
  {
    broke: 'a webhook sent again after another node had made the same attempt',
    seed: 710140,
    steps: steps(
      ['call', 870413201],
      ['kill', 957581288],
      ['schedule', 682610007],
      ['schedule', 949173659],
      ['pass', 1963597433],
      ['schedule', 1129499956],
      ['failed-sync', 2072251076],
      ['kill', 502929253],
      ['job', 778095204],
      ['call', 1303758796],
      ['schedule', 599278792],
      ['leap-in-delivery', 1993387670],
    ),
  },
];
