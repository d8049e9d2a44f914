import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../support/server.js';
import { hello } from '../mcp/server-harness.js';

const message = {
  method: 'POST' as const,
  url: '/mcp',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  payload: hello,
};

test('pages are limited by address, whichever they are', async () => {
  const roads = [
    ...['/docs', '/docs/endpoints/maps/places', '/docs/search?q=a', '/openapi.json', '/status', '/nowhere'],
    ...['/sign-in', '/dashboard'],
  ];
  const { app } = await testServer({ pages: true, config: { rateLimit: 3 } });
  for (const [at, url] of roads.entries()) {
    const statusOf = async (url: string, remoteAddress: string) =>
      (await app.inject({ url, remoteAddress })).statusCode;
    const address = `192.0.2.${at + 1}`;
    for (let n = 0; n < 60; n += 1) assert.notEqual(await statusOf(url, address), 429, url);
    assert.equal(await statusOf(url, address), 429, url);
    assert.notEqual(await statusOf(url, `198.51.100.${at + 1}`), 429, url);
    assert.equal(await statusOf('/healthz', address), 200);
  }
});

test('messages of a session are limited by account, with however many keys', async () => {
  const server = await testServer({ config: { rateLimit: 60 } });
  const { id: account, secret } = await server.account({ credits: 10 });
  const more = await server.accounts.createKey({ account, name: 'another', platforms: null });
  const statuses: number[] = [];
  for (let at = 0; at < 61; at += 1) {
    const key = at % 2 === 0 ? secret : more.secret;
    const headers = { ...message.headers, authorization: `Bearer ${key}` };
    statuses.push(
      (await server.app.inject({ ...message, headers, remoteAddress: `192.0.2.${at}` })).statusCode,
    );
  }
  assert.deepEqual(statuses, [...Array(60).fill(200), 429]);
});

test('a page of the documentation is rendered once per edition', async () => {
  const { app } = await testServer();
  const url = '/docs/endpoints/maps/places';
  const first = await app.inject({ url });
  const began = process.cpuUsage();
  for (let n = 0; n < 50; n += 1) assert.equal((await app.inject({ url })).body, first.body);
  const { user } = process.cpuUsage(began);
  assert.ok(user / 50_000 < 8, `${user / 50_000} ms each`);
});
