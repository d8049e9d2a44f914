import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { testServer } from '../../../support/server.js';
import { assertAccessible } from './assert-accessible.js';
import { skip } from './chromium.js';
import { openChromium } from './open-chromium.js';

test('the status page in Chromium: light, dark, phone, with every state on it', { skip }, async (t) => {
  const server = await testServer();
  const [ok, refused, changed, degraded] = endpoints as readonly Endpoint[];
  const times = (count: number, work: () => void) => Array.from({ length: count }, work);
  const { health } = server;
  for (let day = 0; day < 5; day += 1) {
    times(40, () => health.onFetched(ok ?? assert.fail(), { name: 'x' }));
    times(9, () => health.onFetchFailed(refused ?? assert.fail(), new ExtractError('platform_blocked')));
    times(9, () => health.onFetchFailed(changed ?? assert.fail(), new ExtractError('platform_changed')));
    times(9, () => health.onFetched(degraded ?? assert.fail(), []));
    times(3, () => health.onFetchFailed(degraded ?? assert.fail(), new ExtractError('platform_timeout')));
    await health.tick();
    if (day < 4) server.clock.time += 86_400_000;
  }
  const base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { page, faults } = await openChromium(t);
  await page.goto(`${base}/status`);
  const states = await page.locator('li.endpoint .badge').allTextContents();
  assert.deepEqual(states.slice(0, 4), ['OK', 'Refused', 'Changed', 'Degraded']);
  assert.equal(states[4], 'Unknown');
  assert.equal(await page.locator('svg.days').count(), endpoints.length);
  await assertAccessible(page);
  // The page of an operation has the longest names, in its navigation, too.
  for (const name of [`endpoints/${ok?.path}`, 'operations/run_schedule', 'guides/batch']) {
    await page.goto(`${base}/docs/${name}`);
    await assertAccessible(page);
  }
  assert.deepEqual(faults, []);
});
