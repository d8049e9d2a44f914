import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { machineIn } from '../support/worlds/as-it-comes.js';
import { firstCalls } from '../support/worlds/first-calls.js';
import { worlds } from '../support/worlds/place.js';

// What a new user gets at home and in a datacentre, with nothing set and no browser: each place answers, or refuses, as
// public evidence of late 2026 says. The command is the real one, over sockets and TLS; its clock is moved.

for (const world of worlds) {
  describe(`as it comes, ${world === 'home' ? 'at home' : 'in a datacentre'}`, () => {
    for (const { path, args, [world]: expected } of firstCalls) {
      test(`${path} ${args.join(' ')}`, async (t) => {
        const { run, arrivals, unknown } = await machineIn(t, world);
        const { status, out, err, seconds } = await run([...path.split('/'), ...args, '--json']);
        assert.deepEqual(unknown, []);
        if (expected.refused === undefined) {
          assert.equal(status, 0, err);
          const { data } = JSON.parse(out) as { data: Record<string, unknown> | Record<string, unknown>[] };
          const [first, ...rest] = Array.isArray(data) ? data : [data];
          assert.ok(first !== undefined);
          const nulls = Object.keys(first).filter((key) =>
            [first, ...rest].every((one) => one[key] === null),
          );
          assert.deepEqual(nulls, expected.nulls);
        } else {
          assert.equal(out, '');
          const { error } = JSON.parse(err) as { error: { code: string; type: string; message: string } };
          // Never “not found”: nothing here is missing.
          assert.deepEqual([error.code, error.type], [expected.refused, 'platform'], error.message);
          // 999 is of the address.
          if (path.startsWith('pronetwork/')) assert.match(error.message, /999.* Wait an hour/);
        }
        assert.deepEqual(
          { requests: arrivals.length, seconds },
          { requests: expected.requests, seconds: expected.seconds },
        );
      });
    }
  });
}
