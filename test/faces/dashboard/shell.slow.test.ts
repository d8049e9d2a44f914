import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testServer } from '../../support/server.js';
import { Browser } from './support/browser.js';
import { dashboardServer } from './support/server.js';

const server = await dashboardServer();

describe('forms', () => {
  const out = '/dashboard/sign-out';

  test('without the token of a page of this session are refused', async () => {
    const { browser } = await server.signedIn();
    const { browser: other } = await server.signedIn();
    const foreign = await other.get('/dashboard');
    const before = await new Browser(server.app).get('/sign-in');
    for (const _csrf of [undefined, '', 'x', foreign.csrf, before.csrf]) {
      const page = await browser.post(out, { _csrf });
      assert.equal(page.status, 403, String(_csrf));
      assert.equal(page.$('h1').text(), 'This form has expired');
    }
    assert.equal((await browser.get('/dashboard')).status, 200, 'the session is open still');
  });

  test('of another site are refused, token or not', async () => {
    const { browser } = await server.signedIn();
    const { csrf: _csrf } = await browser.get('/dashboard');
    const origins = ['https://evil.example', 'null', 'http://localhost.evil.example'];
    const foreign = [
      ...origins.map((origin) => ({ origin })),
      ...['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site })),
    ];
    for (const headers of foreign) {
      assert.equal((await browser.post(out, { _csrf }, headers)).status, 403, JSON.stringify(headers));
      assert.equal((await browser.post('/sign-in', { _csrf, email: 'a@example.com' }, headers)).status, 403);
    }
    const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'http://docs.test' };
    assert.equal((await browser.post(out, { _csrf }, sameOrigin)).status, 200);
  });

  test('that are too large or of another type show an error page', async () => {
    const { browser } = await server.signedIn();
    const large = await browser.post(out, { _csrf: 'x'.repeat(70_000) });
    assert.equal(large.status, 413);
    assert.match(large.$('main').text(), /body_too_large.*req_/s);
    const { statusCode, headers } = await browser.send({
      ...{ method: 'POST', url: out, payload: '<x/>' },
      headers: { 'content-type': 'text/xml' },
    });
    assert.equal(statusCode, 400);
    assert.match(String(headers['content-type']), /^text\/html/);
  });
});

describe('pages that are not there', () => {
  test('are a page below /dashboard and stay JSON elsewhere', async () => {
    const { browser } = await server.signedIn();
    for (const url of ['/dashboard/nothing', '/dashboard/sign-out', '/dashboard/%3Cscript%3E']) {
      const page = await browser.get(url);
      assert.equal(page.status, 404);
      assert.equal(page.$('h1').text(), 'Page not found');
    }
    for (const url of ['/nothing', '/v1/nothing', '/assets/style.css']) {
      const { statusCode, headers } = await browser.send({ method: 'GET', url });
      assert.equal(statusCode, 404);
      assert.match(String(headers['content-type']), /^application\/json/);
    }
  });

  test('look the same as existing ones to visitors', async () => {
    const browser = new Browser(server.app);
    assert.equal((await browser.get('/dashboard/nothing')).url, '/sign-in?next=%2Fdashboard%2Fnothing');
    assert.equal(
      (await browser.post('/dashboard/keys', {})).url,
      '/sign-in?next=%2Fdashboard&done=not-taken',
    );
  });

  test('are all of them on a server without the dashboard', async () => {
    const { app } = await testServer();
    for (const url of ['/', '/dashboard', '/sign-in']) {
      const { statusCode, headers } = await app.inject({ url });
      assert.equal(statusCode, 404);
      assert.match(String(headers['content-type']), /^application\/json/);
    }
  });
});

describe('a fault of ours', () => {
  test('is a page with the code and the request id, and nothing of the cause', async () => {
    const broken = await dashboardServer();
    const { browser } = await broken.signedIn();
    Object.assign(broken.accounts, { find: () => Promise.reject(new Error('the disk is on fire')) });
    const page = await browser.get('/dashboard');
    assert.equal(page.status, 500);
    assert.match(page.$('main').text(), /internal_error/);
    assert.ok(page.$('main').text().includes(String(page.headers['x-request-id'])));
    assert.doesNotMatch(page.text, /fire/);
    assert.match(broken.lines.join(''), /the disk is on fire/);
  });
});

describe('resources of pages', () => {
  test('are only over TLS if the server has it', async () => {
    const plain = await server.app.inject({ url: '/sign-in' });
    assert.equal(plain.headers['strict-transport-security'], undefined);
    const { app } = await dashboardServer({ publicAddress: 'https://extract.example.com' });
    const { headers } = await app.inject({ url: '/sign-in' });
    assert.match(String(headers['strict-transport-security']), /^max-age=\d+/);
  });
});
