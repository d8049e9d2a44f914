import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { watchedSchedule } from '../support/watched-schedule.js';
import { assertAccessible } from './assert-accessible.js';
import { skip } from './chromium.js';
import { cookiesAt, openChromium } from './open-chromium.js';

/** Texts on the page that a browser had to break inside a word, by their elements. */
const brokenWords = `[...document.querySelectorAll('main :is(h1, h2, dt, label, thead th, .badge, button, .button, summary)')]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.textContent)`;

test('the page of a schedule is for everybody, with the times of its reader', { skip }, async (t) => {
  const long = 'Quay at the end of the Grand Union Canal, behind the third lock on the left-hand side';
  const { all, browser, site, path, next, clock } = await watchedSchedule(
    t,
    {
      endpoint: 'maps/harbours',
      text: 'canal',
      history: 'true',
      name: 'Berths along the canal',
      when: 'berths > 0',
    },
    { services: { docsBase: 'http://127.0.0.1' } },
  );
  Object.assign(site, { isEnd: true });
  await next({ names: ['Pier', long] });
  await next({ names: ['Pier', 'Dock'], berths: 1_250_000 });
  await all.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(all.app.server.address() as AddressInfo).port}`;
  const { context, page, faults } = await openChromium(t, { timezoneId: 'Asia/Tokyo' });
  await context.addCookies(cookiesAt(base, browser.jar.getCookiesSync('http://localhost')));
  for (const address of [path, `${path}?field=berths`, `${path}?subject=nobody`, `${path}/end`]) {
    await page.goto(base + address);
    await page.locator('h1').waitFor();
    await assertAccessible(page);
    assert.deepEqual(await page.evaluate(brokenWords), []);
  }
  await page.goto(base + path);
  const tokyo = new Date(clock.now() + 9 * 3_600_000).toISOString();
  const began = page.locator('table', { hasText: 'Began' }).locator('tbody tr').first();
  assert.match(await began.innerText(), new RegExp(tokyo.slice(0, 13).replace('T', ' ')));
  // A number that never moved has a line in the middle, and its value stands beside it.
  const offMiddle = await page.evaluate<number>(`(() => {
    const scale = document.querySelector('.chart .scale');
    const [one, all] = [scale.firstElementChild, scale].map((part) => part.getBoundingClientRect());
    return Math.abs(one.top + one.bottom - all.top - all.bottom);
  })()`);
  assert.ok(offMiddle < 4, String(offMiddle));
  assert.deepEqual(faults, []);
});
