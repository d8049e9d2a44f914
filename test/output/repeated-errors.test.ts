import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverLog } from '../../src/output/log.js';
import { FakeClock } from '../support/fake-clock.js';

test('an error that comes again and again is logged once, and then with its count each minute', async () => {
  const clock = new FakeClock();
  const lines: { level: number; time: string; msg: string; repeated?: number; request_id?: string }[] = [];
  const log = serverLog('info', { write: (line) => lines.push(JSON.parse(line)) }, clock);
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  for (let n = 0; n < 500; n += 1) log.error({ request_id: `req_${n}`, err: full }, 'The disk is full.');
  log.error({ err: new Error('another') }, 'The disk is full.');
  log.error('no fields');
  for (let n = 0; n < 3; n += 1) log.warn('of a platform');
  const rows = lines.map(({ msg, level, request_id }) => [msg, level, request_id]);
  assert.deepEqual(rows, [
    ['The disk is full.', 50, 'req_0'],
    ['The disk is full.', 50, undefined],
    ['no fields', 50, undefined],
    ...[1, 2, 3].map(() => ['of a platform', 40, undefined]),
  ]);
  assert.equal(lines[0]?.time, new Date(clock.now()).toISOString(), 'as people read it');
  lines.length = 0;
  await clock.advance(60_000);
  const repeats = lines.map(({ msg, repeated }) => [msg, repeated]);
  assert.deepEqual(repeats, [['The disk is full. (499 more within a minute)', 499]]);
  log.error({ err: full }, 'The disk is full.');
  assert.equal(lines.length, 1);
  await clock.advance(60_000);
  assert.equal(lines[1]?.repeated, 1);
  // A minute without it: the next one is news again.
  await clock.advance(60_000);
  log.error({ err: full }, 'The disk is full.');
  assert.equal(lines[2]?.msg, 'The disk is full.');
});
