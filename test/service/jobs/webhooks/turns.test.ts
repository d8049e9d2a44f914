import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openDirectory } from '../../../../src/compose/open-store.js';
import { webhookDeliverer } from '../../../../src/service/jobs/webhooks/attempt.js';
import { Deliverer } from '../../../../src/service/jobs/webhooks/deliverer.js';
import type { Sent } from '../../../../src/service/jobs/webhooks/sender.js';
import { DeliveryTurns } from '../../../../src/service/jobs/webhooks/turns.js';
import type { DueDelivery } from '../../../../src/service/jobs/webhooks/webhooks.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { directorySlices } from '../directory-stores.js';
import { noBucket } from './delivering-node.js';
import { makeWebhookJob, webhookJobEnding } from './webhooks-port.js';

const root = temporaryFolder();

const due = (account: string, url: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => ({ account, url, tries: 0, id: `${account} ${url} ${at}` }) as DueDelivery,
  );

const hostsOf = (begun: readonly { readonly delivery: DueDelivery }[]) =>
  begun.map(({ delivery }) => `${delivery.account} ${new URL(delivery.url).host}`);

describe('turns of deliveries', () => {
  test('go between accounts, then between the hosts of an account, each within its bound', () => {
    const turns = new DeliveryTurns<DueDelivery>();
    const all = [
      ...due('many', 'https://one.example/', 50),
      ...due('many', 'https://two.example/', 50),
      ...due('many', 'https://three.example/', 50),
      ...due('few', 'https://mine.example/', 2),
    ];
    const begun = hostsOf(turns.begin(all));
    assert.deepEqual(begun.slice(0, 5), [
      ...[
        'many one.example',
        'few mine.example',
        'many two.example',
        'few mine.example',
        'many three.example',
      ],
    ]);
    assert.equal(begun.filter((name) => name.startsWith('many')).length, 8);
    assert.deepEqual(turns.begin(all), [], 'no job twice');
  });

  test('leave a host that did not answer one attempt at a time, until it does', () => {
    const turns = new DeliveryTurns<DueDelivery>();
    const all = due('a', 'https://hangs.example/', 20);
    const first = turns.begin(all);
    assert.equal(first.length, 4);
    for (const { end } of first) end(false);
    const second = turns.begin(all);
    assert.equal(second.length, 1);
    for (const { end } of second) end(true);
    assert.equal(turns.begin(all).length, 4);
  });

  test('leave room beside hosts that do not answer, however many there are', () => {
    const turns = new DeliveryTurns<DueDelivery>();
    const silent = Array.from({ length: 60 }, (_, n) => due(`a${n}`, `https://h${n}.example/`, 4)).flat();
    for (let begun = turns.begin(silent); begun.length > 0; begun = turns.begin(silent)) {
      if (begun.length <= 16) break;
      for (const { end } of begun) end(false);
    }
    assert.equal(turns.begin(due('new', 'https://new.example/', 9)).length, 4);
  });
});

test('mails that were taken are no host that did not answer: the next ones go four at a time', async () => {
  const clock = new FakeClock();
  let waiting = due('a', 'mailto:ada@example.com', 9);
  let underWay = 0;
  let release: () => void = assert.fail;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const deliverer = new Deliverer<DueDelivery>({
    store: {
      listDue: async () => waiting,
      findNextDue: async () => null,
      claim: async () => true,
      release: async () => undefined,
    },
    clock,
    claimMs: 60_000,
    async attempt({ id }) {
      waiting = waiting.filter((one) => one.id !== id);
      underWay += 1;
      // A mail server gives no status.
      if (waiting.length < 5) await held;
      return { status: null, error: null, again: false };
    },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  deliverer.wake();
  for (let turns = 0; turns < 200 && underWay < 8; turns += 1) await setImmediate();
  assert.equal(underWay, 8);
  release();
  await deliverer.stop();
});

test('1,100 jobs whose receiver never answers delay no other account', { timeout: 300_000 }, async () => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { ledger, jobStores, accounts } = await openDirectory(root, clock, 0);
  const { jobs, webhooks } = jobStores;
  const slices = directorySlices(jobStores, clock);
  const finished = async (account: string, url: string) => {
    const id = await makeWebhookJob(jobs, account, url);
    await slices.commit(id, [{ index: 0, ending: webhookJobEnding, line: Buffer.from('{}\n') }]);
  };
  const newAccount = async (name: string) => {
    const email = `${name}@example.com`;
    return (await accounts.create({ email, verified: true, credits: 10_000 })).id;
  };
  const [many, few] = [await newAccount('many'), await newAccount('few')];
  const asked: string[] = [];
  const sender = {
    send: ({ url }: { readonly url: string }, signal: AbortSignal) => {
      asked.push(new URL(url).host);
      if (url.startsWith('https://good'))
        return Promise.resolve<Sent>({ status: 204, error: null, again: false });
      return new Promise<Sent>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    close: async () => undefined,
  };
  const deliverer = webhookDeliverer({
    store: webhooks,
    sender,
    bucket: noBucket,
    clock,
    onError: (_, cause) => assert.fail(String(cause)),
  });
  await Promise.all(Array.from({ length: 1_100 }, () => finished(many, 'https://hangs.example/')));
  deliverer.wake();
  while (asked.length < 4) await setImmediate();
  await finished(few, 'https://good.example/');
  deliverer.wake();
  while (asked.length < 5) await setImmediate();
  assert.deepEqual(asked, [...Array<string>(4).fill('hangs.example'), 'good.example']);
  await deliverer.stop();
  await ledger.close();
});
