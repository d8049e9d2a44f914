import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { Cooldown } from '../../lib/web/cooldown.js';
import { FakeClock } from '../support/fake-clock.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

const minute = 60_000;

/** Seconds until the cooldown ends; 0 if requests are allowed. */
function rest(cooldown: Cooldown): number {
  try {
    cooldown.check();
    return 0;
  } catch (error) {
    return (error as ExtractError).retryAfter ?? Number.NaN;
  }
}

test('after a refusal the platform cools down, and the message says until when', async () => {
  const clock = new FakeClock();
  const cooldown = new Cooldown('shortvideo', minute, clock);
  cooldown.check();
  cooldown.recordRefusal('platform_blocked', undefined);
  await clock.advance(18_500);
  assert.throws(() => cooldown.check(), {
    name: 'ExtractError',
    code: 'platform_blocked',
    retryAfter: 42,
    message:
      'shortvideo refused at 2026-01-01T00:00:00Z and gets the next request in 42 s; no request was made.',
  });
  await clock.advance(41_500);
  cooldown.check();
});

test('the time the platform asks for comes first', () => {
  const cooldown = new Cooldown('maps', minute, new FakeClock());
  cooldown.recordRefusal('platform_rate_limited', 7);
  assert.equal(rest(cooldown), 7);
  assert.throws(() => cooldown.check(), { code: 'platform_rate_limited' });
});

test('an hour that the platform asks for is an hour, a year is a day', () => {
  const clock = new FakeClock();
  const hour = new Cooldown('maps', minute, clock);
  hour.recordRefusal('platform_rate_limited', 3600);
  assert.equal(rest(hour), 3600);
  const year = new Cooldown('maps', minute, clock);
  year.recordRefusal('platform_rate_limited', 365 * 86_400);
  assert.equal(rest(year), 86_400);
});

test('a Retry-After of zero does not end the cool-down', () => {
  const cooldown = new Cooldown('maps', minute, new FakeClock());
  cooldown.recordRefusal('platform_rate_limited', 0);
  assert.equal(rest(cooldown), 60);
});

const refusal = new ExtractError('platform_blocked');

test('a refused session stops requests to its platform, and to no other, until the cool-down ends', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (_request, response) => response.end('x'));
  const source = network(t, { clock, cooldownMs: minute });
  source.open(testSite()).end(refusal);
  assert.throws(() => source.open(testSite()), { code: 'platform_blocked', retryAfter: 60 });
  await source.open(testSite({ platform: 'maps' })).fetch({ url: server.origin });
  await clock.advance(minute);
  await source.open(testSite()).fetch({ url: server.origin });
  assert.equal(server.requests.length, 2);
});

for (const [title, error, seconds] of [
  ['an answer', undefined, 60],
  ['“not found”', new ExtractError('profile_not_found'), 60],
  ['an unreachable platform', new ExtractError('platform_unavailable'), 120],
  ['a fault of ours', new TypeError('x'), 120],
] as const) {
  test(`after ${title} the next cool-down lasts ${seconds} s`, async (t) => {
    const clock = new FakeClock();
    const source = network(t, { clock, cooldownMs: minute });
    source.open(testSite()).end(refusal);
    await clock.advance(minute);
    source.open(testSite()).end(error);
    source.open(testSite()).end(refusal);
    assert.throws(() => source.open(testSite()), { retryAfter: seconds });
  });
}

for (const [title, error] of [
  ['an answer', undefined],
  ['“not found”', new ExtractError('profile_not_found')],
  ['a page that changed', new ExtractError('platform_changed')],
] as const) {
  test(`a time that the platform names holds, though the session ends with ${title}`, async (t) => {
    const clock = new FakeClock();
    const server = await loopback(t, (_request, response) => {
      response.writeHead(429, { 'retry-after': '600' }).end();
    });
    const source = network(t, { clock, cooldownMs: minute });
    const session = source.open(testSite());
    await session.fetch({ url: server.origin });
    session.end(error);
    assert.throws(() => source.open(testSite()), { code: 'platform_rate_limited', retryAfter: 600 });
    await clock.advance(10 * minute);
    source.open(testSite());
  });
}

test('queued requests are not sent after another session’s refusal, and do not count as a second one', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (_request, response) => response.end('x'));
  const source = network(t, { clock, cooldownMs: minute });
  const site = testSite({ surfaces: { page: { ms: 1000, concurrency: 1 } } });
  const first = source.open(site);
  const second = source.open(site);
  await first.fetch({ url: server.origin });
  const queued = second.fetch({ url: server.origin });
  await clock.untilSleeping(1);
  first.end(refusal);
  const error = await clock.passing(queued).catch((caught: unknown) => caught);
  assert.ok(error instanceof ExtractError);
  assert.equal(error.code, 'platform_blocked');
  assert.equal(error.retryAfter, 59);
  await clock.advance(500);
  second.end(error);
  assert.throws(() => source.open(site), { retryAfter: 59 });
  await clock.advance(58_500);
  source.open(site);
  assert.equal(server.requests.length, 1);
});
