import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Deliverer } from '../../../../src/service/jobs/webhooks/deliverer.js';
import type { AttemptOutcome } from '../../../../src/service/jobs/webhooks/sender.js';
import type { DueDelivery } from '../../../../src/service/jobs/webhooks/webhooks.js';
import { FakeClock } from '../../../support/fake-clock.js';

const due = (account: string, url: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => ({ account, url, tries: 0, id: `${account} ${url} ${at}` }) as DueDelivery,
  );

/** A deliverer whose attempts run until they are ended, with the hosts that they go to. */
function heldDeliverer(waiting: DueDelivery[]) {
  const running: { readonly host: string; readonly end: (sent: Omit<AttemptOutcome, 'again'>) => void }[] =
    [];
  const deliverer = new Deliverer<DueDelivery>({
    store: {
      listDue: async () => waiting,
      findNextDue: async () => null,
      claim: async () => true,
      release: async () => undefined,
    },
    clock: new FakeClock(),
    claimMs: 60_000,
    async attempt({ id, account, url }) {
      const { status, error } = await new Promise<Omit<AttemptOutcome, 'again'>>((end) =>
        running.push({ host: `${account} ${new URL(url).host}`, end }),
      );
      waiting.splice(0, Infinity, ...waiting.filter((one) => one.id !== id));
      return { status, error, again: false };
    },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  return {
    /** Ends the attempts that run, each as `sent` says, and gives those that run then. */
    async look(sent?: Omit<AttemptOutcome, 'again'>): Promise<readonly string[]> {
      for (const { end } of running.splice(0)) end(sent ?? assert.fail('Attempts run.'));
      deliverer.wake();
      for (let turns = 0; turns < 300; turns += 1) await setImmediate();
      return running.map(({ host }) => host);
    },
    async stop(): Promise<void> {
      const stopped = deliverer.stop();
      for (const { end } of running) end({ status: 204, error: null });
      await stopped;
    },
  };
}

const [silent, answered] = [
  { status: null, error: 'no answer' },
  { status: 204, error: null },
];

describe('turns of deliveries', () => {
  test('alternate between accounts, then between the hosts of an account', async () => {
    const deliveries = heldDeliverer([
      ...due('many', 'https://one.example/', 50),
      ...due('many', 'https://two.example/', 50),
      ...due('many', 'https://three.example/', 50),
      ...due('few', 'https://mine.example/', 2),
    ]);
    const begun = await deliveries.look();
    assert.deepEqual([...begun].sort(), [
      ...['few mine.example', 'few mine.example'],
      ...['many one.example', 'many one.example', 'many one.example'],
      ...['many three.example', 'many three.example'],
      ...['many two.example', 'many two.example', 'many two.example'],
    ]);
    assert.equal((await deliveries.look(answered)).length, 8);
    await deliveries.stop();
  });

  test('limit a silent host to one attempt at a time', async () => {
    const deliveries = heldDeliverer(due('a', 'https://hangs.example/', 20));
    assert.equal((await deliveries.look()).length, 4);
    assert.equal((await deliveries.look(silent)).length, 1);
    assert.equal((await deliveries.look(answered)).length, 4);
    await deliveries.stop();
  });

  test('leave room for others, however many hosts are silent', async () => {
    const waiting = Array.from({ length: 60 }, (_, n) => due(`a${n}`, `https://h${n}.example/`, 9)).flat();
    const deliveries = heldDeliverer(waiting);
    let begun = await deliveries.look();
    assert.equal(begun.length, 128);
    for (let looks = 0; begun.length > 16 && looks < 5; looks += 1) begun = await deliveries.look(silent);
    assert.equal(begun.length, 16);
    waiting.push(...due('new', 'https://new.example/', 9));
    assert.equal((await deliveries.look(silent)).filter((host) => host === 'new new.example').length, 4);
    await deliveries.stop();
  });

  test('do not treat a mail server without a status as silent', async () => {
    const deliveries = heldDeliverer(due('a', 'mailto:ada@example.com', 9));
    assert.equal((await deliveries.look()).length, 4);
    // A mail server gives no status.
    assert.equal((await deliveries.look({ status: null, error: null })).length, 4);
    await deliveries.stop();
  });
});
