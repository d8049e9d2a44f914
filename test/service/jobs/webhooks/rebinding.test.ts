import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { createSender } from '../../../../src/service/jobs/webhooks/sender.js';
import { Targets } from '../../../../src/service/jobs/webhooks/targets.js';

const outside = { address: '93.184.216.34', family: 4 };
const inside = { address: '127.0.0.1', family: 4 };

/** The addresses that a name resolves to the second time, on connection. */
const rebound = {
  'to an address of this machine': [inside],
  'to the same in IPv6': [{ address: '::ffff:127.0.0.1', family: 6 }],
  'to both at once, the public one first': [outside, inside],
};

for (const [how, then] of Object.entries(rebound)) {
  test(`a name that turns, once it was checked, ${how} is not connected to`, async () => {
    let connections = 0;
    const server = createServer((_, answer) => answer.end()).on('connection', () => {
      connections += 1;
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    let count = 0;
    const targets = new Targets([], async () => {
      count += 1;
      return count === 1 ? [outside] : then;
    });
    const sender = createSender({ targets, clock: systemClock, proxy: {} as never });
    try {
      const url = `http://turning.example:${(server.address() as AddressInfo).port}/hook`;
      await targets.check(url);
      const sent = await sender.send({ url, body: '{}', headers: {} }, new AbortController().signal);
      assert.equal(sent.status, null);
      assert.match(sent.error ?? '', /not public/);
      assert.deepEqual([count, connections], [2, 0]);
    } finally {
      await sender.close();
      server.close();
    }
  });
}
