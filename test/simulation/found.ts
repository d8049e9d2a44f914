import type { Step } from './history.js';

interface FoundHistory {
  /** What was wrong. */
  readonly broke: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}

/** Returns the history of a text: names of steps, each with its seed. */
const found = (broke: string, seed: number, steps: string): FoundHistory => ({
  ...{ broke, seed },
  steps: [...steps.matchAll(/([\w-]+) (\d+)/g)].map(([, name = '', of]) => ({ name, seed: Number(of) })),
});

/** Histories that broke a promise, shrunk. `run.ts` prints a new one. */
export const foundHistories: readonly FoundHistory[] = [
  found(
    'webhooks that a clock which was set back put off',
    74,
    'job 1720498655, job 1829709422, start 394594989, redeliver 1119952648, date 502906525',
  ),
  found(
    'a refund that a full disk refused',
    4045,
    'call 389753494, call 1876540377, full-disk 1685015647, call 2042379120',
  ),
  found(
    'a grant whose commit was not acknowledged',
    5073,
    'account 1420123136, pass 976802449, failed-sync 1966833948, grant 2125553531',
  ),
  found(
    'results that tell of someone suppressed since',
    33,
    'call 1588848491, job 1385925298, forget 1286464259, grant 188854904, results 479010941',
  ),
  found('lines written after the money of their job', 10000, 'job 1331523377, job 1441611572'),
  found(
    'a redelivery that the attempt under way ended',
    158,
    `job 1693392325, job 181814577, job 381998516, job 1955001589, grant 1372730989, slow-disk 593104255,
     job 1487382044, pass 1158906883, pass 2089934833, redeliver 2063793136`,
  ),
  found(
    'results deleted by a date that leapt',
    7,
    'job 712411358, job 636399587, date 209854586, schedule 1401146701, date 1378457973',
  ),
  found(
    'a shared fetch that told a later call of someone suppressed',
    1,
    'call 492659253, call 435720154, forget 1772473831, pass 1390280584, call 2024146547',
  ),
  found(
    'a time of a schedule that two nodes ran',
    122,
    'job 1048385312, schedule 1492568455, job 1804297059, date 1845264614, power 232710353',
  ),
  found(
    'a webhook sent again after another node had made the same attempt',
    710140,
    `call 870413201, kill 957581288, schedule 682610007, schedule 949173659, pass 1963597433,
     schedule 1129499956, failed-sync 2072251076, kill 502929253, job 778095204, call 1303758796,
     schedule 599278792, leap-in-delivery 1993387670`,
  ),
];
