import type { Scenario } from './scenario.js';
import { cheapAccount } from './scenarios/cheap-account.js';
import { corruption } from './scenarios/corruption.js';
import { descriptors } from './scenarios/descriptors.js';
import { killServe } from './scenarios/kill-serve.js';
import { liars } from './scenarios/liars.js';
import { mixedLoad } from './scenarios/mixed-load.js';
import { postgresDisk } from './scenarios/postgres-disk.js';
import { postgresFrozen } from './scenarios/postgres-frozen.js';
import { postgresKills } from './scenarios/postgres-kills.js';
import { postgresMigrate } from './scenarios/postgres-migrate.js';
import { postgresPartition } from './scenarios/postgres-partition.js';
import { postgresRestart } from './scenarios/postgres-restart.js';
import { postgresUpgrade } from './scenarios/postgres-upgrade.js';
import { postgresZombies } from './scenarios/postgres-zombies.js';
import { smallDisk } from './scenarios/small-disk.js';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  killServe,
  descriptors,
  smallDisk,
  liars,
  corruption,
  mixedLoad,
  cheapAccount,
  postgresKills,
  postgresRestart,
  postgresUpgrade,
  postgresPartition,
  postgresDisk,
  postgresMigrate,
  postgresFrozen,
  postgresZombies,
];
