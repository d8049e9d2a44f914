// The dashboard's pages over the history of an account of 100,000 calls in a year: server time, in process.
import { endpoints } from '../../lib/endpoints.js';
import type { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { dashboardServer } from '../faces/dashboard/support/server.js';
import { compare } from './compare.js';

const rows = 100_000;
const year = 365 * 24 * 3_600_000;
const atMost = 100;

const server = await dashboardServer();
const { browser, account } = await server.signedIn();
const { db } = await (server.ledger as SqliteLedger).database();
const insert = db.prepare(
  `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, key_id, key_name)
   VALUES (?, ?, ?, ?, ?, ?, ?, 3, ?, 'key')`,
);
db.transaction(() => {
  for (let n = 0; n < rows; n += 1) {
    const at = server.clock.now() - Math.floor((n / rows) * year);
    const failed = n % 50 === 0;
    insert.run(
      ...[
        `req_${String(rows - n).padStart(26, '0')}`,
        account.id,
        at,
        at,
        endpoints[n % endpoints.length]?.path,
      ],
      ...[
        failed ? 'failed' : 'ok',
        failed ? 'platform_timeout' : null,
        n === rows - 1 ? 'key_rare' : 'key_1',
      ],
    );
  }
})();

const pages = [
  '/dashboard',
  '/dashboard/requests',
  '/dashboard/requests?status=failed',
  '/dashboard/requests?key=key_rare',
  '/dashboard/requests?endpoint=maps/place&code=account_private',
  `/dashboard/requests?before=req_${'1000'.padStart(26, '0')}`,
  '/dashboard/usage',
  '/dashboard/usage?from=2025-11-06&to=2026-11-05',
  '/dashboard/usage.csv?from=2025-11-06&to=2026-11-05',
];
/** A page without history: what the way through the server and the rendering cost by themselves. */
const floor = () => browser.send({ method: 'GET', url: '/dashboard/keys' });

for (const url of pages) {
  const work = () => browser.send({ method: 'GET', url });
  const { ours, ratio } = await compare(work, floor, { rounds: 9, repeats: 5, warmUp: 1 });
  const met = ours <= atMost ? 'met   ' : 'MISSED';
  const times = `${ratio.toFixed(1)} times a page without history`;
  console.log(`${met}  ${ours.toFixed(2).padStart(6)}  at most ${atMost} ms  ${url} (${times})`);
}
