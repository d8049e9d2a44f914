// Makes payments in a separate process, which the tests kill just before its nth write. Prints each finished step.
import Sqlite from 'better-sqlite3';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { openPayments } from '../../../src/service/accounts/packs/open-payments.js';
import { sessionEvent, signPayload } from '../../support/fake-stripe.js';
import { writeLine } from '../../support/write-line.js';

const [task = '', home = '', detail = '', nth = '0'] = process.argv.slice(2);
const webhookSecret = 'whsec_test';

let writes = 0;
const { prepare } = Sqlite.prototype;
Sqlite.prototype.prepare = function (this: Sqlite.Database, source: string) {
  const statement = prepare.call(this, source) as Sqlite.Statement<unknown[]>;
  const run = statement.run.bind(statement);
  statement.run = (...values) => {
    if (++writes === Number(nth)) process.kill(process.pid, 'SIGKILL');
    return run(...values);
  };
  return statement;
} as typeof prepare;

const opened = await openStore(home, systemClock, 0);
const payments = openPayments({
  ...{
    purchases: opened.purchases,
    clock: systemClock,
    publicUrl: 'https://x.test',
    proxy: {},
    onError: () => undefined,
  },
  config: readHostingConfig({
    EXTRACT_STRIPE_KEY: 'sk_test_1',
    EXTRACT_STRIPE_WEBHOOK_SECRET: webhookSecret,
  }),
});
if (task === 'event') {
  const body = sessionEvent({ type: 'completed', purchase: detail });
  await payments.applyStripeEvent(Buffer.from(body), signPayload(body, webhookSecret, Date.now()));
} else await payments.confirmByHand(detail, 50_000);
writeLine('done');
await opened.ledger.close();
