import { describe } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { openDatabaseStores } from './database-stores.js';
import { schedulesSuite } from './schedules-port.js';
import { makeWebhookJob, webhookJobEnding, webhooksSuite } from './webhooks/webhooks-port.js';

describe('schedules in PostgreSQL', { skip: skipWithoutPostgres }, () => schedulesSuite(openDatabaseStores));

describe('webhooks in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  webhooksSuite(async () => {
    const { store, slices, ...under } = await openDatabaseStores();
    const account = await under.account(100);
    return {
      ...under,
      account,
      newAccount: under.account,
      async job(finished, webhookUrl, of = account) {
        const id = await makeWebhookJob(store, of, webhookUrl);
        const ending = webhookJobEnding;
        if (finished) await slices.commit(id, [{ index: 0, line: Buffer.from('{}\n'), ending }]);
        return id;
      },
    };
  });
});
