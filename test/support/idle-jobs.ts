import type { Services } from '../../lib/call/call.js';
import { readConfig } from '../../lib/config.js';
import { endpoints } from '../../lib/endpoints.js';
import type { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { type Jobs, openJobs } from '../../src/jobs/open-jobs.js';

/** Jobs that a server takes and nobody works on: nothing happens beside what a test asks for. */
export async function idleJobs({
  ledger,
  services,
  home,
}: {
  readonly ledger: SqliteLedger;
  readonly services: Services;
  readonly home: string;
}): Promise<Jobs> {
  return openJobs({
    books: await ledger.books(),
    services,
    config: readConfig({ home }, {}),
    endpoints,
    webhookAllow: [],
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    troubled: (_, cause) => {
      throw cause;
    },
  });
}
