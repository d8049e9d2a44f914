import { invalidParameter } from '../errors/extract-error.js';
import { servedRow } from '../ledger/call-row.js';
import type { Ledger } from '../ledger/ledger.js';
import type { UsageRow } from '../ledger/usage-row.js';
import type { ApiClient } from './api-client.js';

async function refuse(): Promise<never> {
  throw invalidParameter(
    'The server holds the ledger of this account: buy credits there; it charges its own calls.',
  );
}

/** Returns the ledger of the key's account on a server. Only the server writes, so every change is rejected. */
export function remoteLedger(client: ApiClient) {
  return {
    /** Returns the balance of the key's account, whatever account is passed. */
    async balance() {
      const { data } = await client.get('account', {});
      const { id, credits_remaining, credits_kind } = data as {
        readonly id: string;
        readonly credits_remaining: number;
        readonly credits_kind: string;
      };
      return { account: id, credits: credits_remaining, bought: credits_kind === 'bought' };
    },
    async usage(_account, { limit, before: cursor, from, to, endpoint, job: job_id }) {
      const filters = Object.entries({ limit: String(limit), cursor, from, to, endpoint, job_id });
      const { data, meta } = await client.get(
        'usage',
        Object.fromEntries(filters.filter((one): one is [string, string] => one[1] !== undefined)),
      );
      return { rows: (data as readonly UsageRow[]).map(servedRow), next: meta.next_cursor as string | null };
    },
    ...{ charge: refuse, pay: refuse, settle: refuse, refund: refuse, grant: refuse, checkWritable: refuse },
    close: async () => {},
  } satisfies Ledger;
}
