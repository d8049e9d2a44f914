import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { probeHost } from '../../lib/web/probe-host.js';
import { isDirect } from '../../lib/web/proxies.js';
import { authority } from '../support/authority.js';
import { forwardProxy } from '../support/forward-proxy.js';
import { loopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const trusted = authority(temporaryFolder());
const direct = { httpsProxy: undefined, httpProxy: undefined, noProxy: undefined };
const timeoutMs = 5_000;

describe('a probe of a host', () => {
  test('fails at the name, the connection or the handshake, and says at which', async (t) => {
    const name = await probeHost('no-such-host.invalid', { proxy: direct, timeoutMs });
    assert.deepEqual([name.ok, !name.ok && name.step], [false, 'name']);
    const closed = await probeHost('127.0.0.1', { proxy: direct, timeoutMs, port: 9 });
    assert.deepEqual(closed, { ok: false, step: 'connection', code: 'ECONNREFUSED', proxied: false });
    const host = await loopback(t, (_, response) => response.end(), trusted.issue('localhost'));
    const untrusted = await probeHost('localhost', { proxy: direct, timeoutMs, port: host.port });
    assert.ok(!untrusted.ok && untrusted.step === 'tls', JSON.stringify(untrusted));
    assert.deepEqual(host.requests, [], 'a request was sent');
  });

  test('goes through the proxy with its credentials, and reports the proxy’s status', async (t) => {
    const refusing = await forwardProxy(t, { status: 407 });
    const proxy = { ...direct, httpsProxy: refusing.url.replace('://', '://ann:se%20cret@') };
    const result = await probeHost('www.example.com', { proxy, timeoutMs });
    assert.deepEqual(result, { ok: false, step: 'proxy', code: '407', proxied: true });
    assert.deepEqual(refusing.tunnels, ['www.example.com:443']);
    assert.equal(refusing.credentials[0], `Basic ${Buffer.from('ann:se cret').toString('base64')}`);
    const refusal = await probeHost('www.example.com', {
      proxy: { ...direct, httpsProxy: 'http://127.0.0.1:9' },
      timeoutMs,
    });
    assert.deepEqual(refusal, { ok: false, step: 'proxy', code: 'ECONNREFUSED', proxied: true });
  });

  test('times out on a silent host or proxy, and leaves no connection', async (t) => {
    const sockets = new Set<net.Socket>();
    const silent = net.createServer((socket) => {
      sockets.add(socket);
      socket.resume();
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const host = await probeHost('127.0.0.1', { proxy: direct, timeoutMs: 50, port });
    assert.deepEqual(host, { ok: false, step: 'tls', code: 'timeout', proxied: false });
    const proxy = { ...direct, httpsProxy: `http://127.0.0.1:${port}` };
    const proxied = await probeHost('www.example.com', { proxy, timeoutMs: 50 });
    assert.deepEqual(proxied, { ok: false, step: 'proxy', code: 'timeout', proxied: true });
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
  });

  test('knows which hosts are reached without the proxy', () => {
    assert.ok(isDirect('www.example.com', 'example.com'));
    assert.ok(isDirect('www.example.com', '.example.com, other'));
    assert.ok(isDirect('example.com', 'a,example.com:443'));
    assert.ok(isDirect('anything', '*'));
    assert.ok(!isDirect('badexample.com', 'example.com'));
    assert.ok(!isDirect('example.com', ''));
  });
});
