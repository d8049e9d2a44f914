import type { Services } from '../../lib/call/call.js';
import { readConfig } from '../../lib/config.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openServices } from '../../lib/services.js';
import { type DirectoryStore, openDirectory } from '../../src/compose/open-store.js';
import { isActive } from '../../src/service/accounts/accounts.js';
import { type JobsOptions, jobParts } from '../../src/service/jobs/job-parts.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import { rowLines } from '../../src/service/jobs/results/row-results.js';
import { unsuppressedLines } from '../../src/service/jobs/results/unsuppressed-results.js';
import { chargedKey } from '../../src/service/usage/key-spend.js';
import { machine, type SimulatedProcess } from './machine.js';
import { type Outside, profile } from './platform.js';

/** Days for which results are stored. */
export const resultDays = 2;

/** A server of the data directory, in a process of the simulated machine. */
export interface Server {
  readonly process: SimulatedProcess;
  readonly store: DirectoryStore;
  readonly services: Services;
  readonly jobs: Jobs;
  /** Stops it like SIGTERM. */
  stop(): Promise<void>;
}

/** Starts a second deliverer and scheduler next to the directory's, because each node of a database has its own. */
function joinNodes({ jobStores }: DirectoryStore, options: JobsOptions, jobs: Jobs) {
  const { database, results } = jobStores;
  const lines = unsuppressedLines(rowLines(database, results), options);
  const node = jobParts(jobStores, lines, options, () => jobs.wakeRunner());
  node.wake();
  return node;
}

/** The environment of a server. */
interface Surroundings {
  readonly home: string;
  readonly outside: Outside;
  readonly hasNodes: boolean;
}

async function open(process: SimulatedProcess, { home, outside, hasNodes }: Surroundings): Promise<Server> {
  const store = await openDirectory(home, systemClock, 0, undefined, resultDays);
  await store.check();
  const config = readConfig({ home, cacheMemoryMb: 1 }, {});
  const opened = openServices(config, { ledger: store.ledger, suppressions: store.suppressions });
  const services: Services = { ...opened, pages: async () => outside.pages() };
  const options: JobsOptions = {
    services,
    config,
    endpoints: [profile],
    webhookAllow: ['hooks.example'],
    sender: outside.sender(),
    onError: () => undefined,
    async readKeyState(account, id) {
      const key = (await store.accounts.listKeys(account)).find((one) => one.id === id);
      const fault = key !== undefined && isActive(key, systemClock.now()) ? null : 'revoked_api_key';
      return { fault, monthlyCredits: key === undefined ? null : chargedKey(key).monthlyCredits };
    },
  };
  const jobs = store.createJobs(options);
  jobs.start();
  const node = hasNodes ? joinNodes(store, options, jobs) : undefined;
  return {
    ...{ process, store, services, jobs },
    async stop() {
      await Promise.all([jobs.stop(), node?.stop()]);
      await store.refusedCalls.flush();
      await opened.close();
      await store.close();
      process.kill();
    },
  };
}

/** Starts a server; null if the store is unusable and the server would exit with an error. */
export async function startServer(name: string, surroundings: Surroundings): Promise<Server | null> {
  const process = machine.startProcess(name);
  try {
    return await process.run(() => open(process, surroundings));
  } catch (cause) {
    if (!process.isDead) throw cause;
    return null;
  }
}
