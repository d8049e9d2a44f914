import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { CallAbort } from '../../../lib/runtime/abort.js';
import type { BrowserProcess } from '../../../lib/web/browser/browser-process.js';
import { visitLimits } from '../../../lib/web/browser/limits.js';
import { Visits } from '../../../lib/web/browser/visits.js';
import { stoppedClock } from '../../support/cases.js';
import { FakeClock } from '../../support/fake-clock.js';

describe('a visit that is aborted while the browser starts', () => {
  const options = { contexts: 1, limits: visitLimits, clock: stoppedClock, hosts: new Map() };

  function starting() {
    let leftCount = 0;
    let start = (_: Browser) => {};
    let fail = (_: Error) => {};
    const process = {
      use: () =>
        new Promise<Browser>((resolve, reject) => {
          start = resolve;
          fail = reject;
        }),
      leave() {
        leftCount += 1;
      },
    } as unknown as BrowserProcess;
    const visits = new Visits(process, options);
    const abort = new CallAbort();
    const starting = visits.begin(site, 'a', abort);
    return {
      ...{ visits, abort, begun: starting, left: () => leftCount },
      start: () => start({} as Browser),
      fail: () => fail(new Error('no')),
    };
  }

  test('ends immediately, frees its slot, and leaves the browser once it has started', async () => {
    const { visits, abort, begun, left, start } = starting();
    await Promise.resolve();
    abort.abort(new Error('enough'));
    await assert.rejects(begun, /enough/);
    assert.deepEqual([visits.counts.open, left()], [0, 0]);
    start();
    await new Promise(setImmediate);
    assert.equal(left(), 1);
  });

  test('reports no error if the browser then fails to start', async () => {
    const { abort, begun, left, fail } = starting();
    await Promise.resolve();
    abort.abort(new Error('enough'));
    await assert.rejects(begun, /enough/);
    fail();
    await new Promise(setImmediate);
    // A visit that fails to start leaves the queue.
    assert.equal(left(), 0);
  });
});

// Chromium returns no page if its renderer was killed during creation or its context has closed (2026-11).
test('a visit whose page is never created ends in time, and closes its context', async () => {
  let closed = 0;
  const context = {
    newPage: () => new Promise(() => {}),
    close: async () => {
      closed += 1;
    },
  };
  const clock = new FakeClock();
  const process = {
    use: async () => ({ newContext: async () => context }),
    leave() {},
  } as unknown as BrowserProcess;
  const visits = new Visits(process, { contexts: 1, limits: visitLimits, clock, hosts: new Map() });
  const ended = visits.begin(site, 'a', new CallAbort()).catch((error: unknown) => error);
  await new Promise(setImmediate);
  await clock.advance(10_000);
  assert.match(
    String(await Promise.race([ended, new Promise(setImmediate)])),
    /page of the visit did not come/,
  );
  assert.deepEqual([visits.counts.open, closed], [0, 1]);
});
