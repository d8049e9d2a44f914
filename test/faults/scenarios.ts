import type { Scenario } from './scenario.js';
import { corruption } from './scenarios/corruption.js';
import { descriptors } from './scenarios/descriptors.js';
import { killServe } from './scenarios/kill-serve.js';
import { mixedLoad } from './scenarios/mixed-load.js';
import { postgresDisk } from './scenarios/postgres-disk.js';
import { postgresKills } from './scenarios/postgres-kills.js';
import { postgresRestart } from './scenarios/postgres-restart.js';
import { smallDisk } from './scenarios/small-disk.js';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  killServe,
  descriptors,
  smallDisk,
  corruption,
  mixedLoad,
  postgresKills,
  postgresRestart,
  postgresDisk,
];
