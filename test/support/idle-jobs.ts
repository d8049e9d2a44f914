import type { Services } from '../../lib/call/call.js';
import { readConfig } from '../../lib/config.js';
import { endpoints } from '../../lib/endpoints.js';
import type { OpenStore } from '../../src/compose/stores.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import type { CallFunction } from '../../src/service/jobs/runner/run-input.js';

/** Jobs that a server accepts but does not run, so that only the test starts work. */
export function idleJobs({
  store,
  services,
  home,
  ask,
}: {
  readonly store: Pick<OpenStore, 'createJobs'>;
  readonly services: Services;
  readonly home: string;
  /** Answers the inputs of started jobs; by default, like every call. */
  readonly ask?: CallFunction | undefined;
}): Jobs {
  return store.createJobs({
    services,
    config: readConfig({ home }, {}),
    endpoints,
    ...(ask && { ask }),
    webhookAllow: [],
    accountBytes: 1024 ** 3,
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    onError: (_, cause) => {
      throw cause;
    },
  });
}
