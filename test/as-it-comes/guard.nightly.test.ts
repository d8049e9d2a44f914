import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { loopback } from '../support/loopback.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

/** What a page tries that wants to reach a port of the machine on which the proxy is. */
const attempts = (port: number, proxyPort: number) => `
<link rel="icon" href="/icon.png"><iframe src="http://127.0.0.1:${port}/frame"></iframe>
<script src="http://127.0.0.1:${port}/script"></script>
<form method="post" action="http://127.0.0.1:${port}/form" target="into"></form><iframe name="into"></iframe>
<script>{
const hosts = ['127.0.0.1:${port}', 'localhost:${port}', '127.1:${port}', '2130706433:${port}', '[::1]:${port}', '0.0.0.0:${port}',
  'https-proxy.invalid:${port}', 'https-proxy.invalid:${proxyPort}', '127.0.0.1:${proxyPort}', 'nowhere.invalid:${port}'];
for (const host of hosts) {
  fetch('http://' + host + '/fetch').catch(() => {});
  fetch('http://' + host + '/post', { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => {});
  new WebSocket('ws://' + host + '/socket');
  new EventSource('http://' + host + '/events');
  navigator.sendBeacon('http://' + host + '/beacon', 'x');
  new Worker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/worker').catch(() => {})"])));
}
document.forms[0].submit();
}</script>`;

/** Page scripts that try to bypass the proxy: QUIC, and WebRTC connections between browsers. */
const pastProxies = (port: number) => `<script>{
const hosts = ['127.0.0.1', 'localhost', '[::1]', 'https-proxy.invalid'];
for (const host of hosts) {
  const at = host + ':${port}';
  try { new WebTransport('https://' + at + '/transport').ready.catch(() => {}); } catch {}
  const own = { username: 'a', credential: 'b' };
  const servers = [{ urls: 'stun:' + at }, { urls: 'turn:' + at, ...own }, { urls: 'turn:' + at + '?transport=tcp', ...own },
    { urls: 'turns:' + at + '?transport=tcp', ...own }];
  const call = new RTCPeerConnection({ iceServers: servers, iceCandidatePoolSize: 4 });
  call.createDataChannel('data');
  call.createOffer().then((offer) => call.setLocalDescription(offer)).catch(() => {});
}
// A WebRTC call to any listener; the page describes both sides.
const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
one.createDataChannel('data');
one.createOffer().then(async (offer) => {
  await one.setLocalDescription(offer);
  await other.setRemoteDescription(offer);
  const answer = await other.createAnswer();
  await other.setLocalDescription(answer);
  await one.setRemoteDescription(answer);
  for (const [at, kind] of [['udp', ''], ['tcp', ' tcptype passive']]) {
    const candidate = 'candidate:1 1 ' + at + ' 2113937151 127.0.0.1 ${port} typ host' + kind;
    await one.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
  }
}).catch(() => {});
}</script>`;

describe('the guard of the browser, with every setting as it comes', { skip: noBrowser }, () => {
  test('lets no page reach the machine of the proxy, nor load its icon', async (t) => {
    const machine = await loopback(t, (_request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.end('secret');
    });
    const page = shortvideoSite();
    const site = await serveSite(({ browsed, ...request }) => {
      if (!browsed) return { body: '' };
      const answer = page({ browsed, ...request });
      if (!request.path.startsWith('/@')) return answer;
      return { ...answer, body: `${attempts(machine.port, site.proxyPort)}${answer?.body}` };
    });
    const { status, out, err } = await site.extract('shortvideo/comments', ['--id', videoId]);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out).data.length, 20);
    assert.deepEqual([machine.sockets.size, machine.requests], [0, []]);
    assert.deepEqual(
      site
        .browsed()
        .filter(({ host, path: at }) => host !== 'www.tiktok.com' || /icon|socket|fetch/.test(at)),
      [],
    );
    assert.deepEqual(
      site.tunnels.filter((one) => one !== 'www.tiktok.com:443'),
      [],
    );
  });

  test('lets no page past the proxy by QUIC, WebTransport or WebRTC', async (t) => {
    const machine = await loopback(t, (_request, response) => response.end('secret'));
    const packets: Buffer[] = [];
    for (const type of ['udp4', 'udp6'] as const) {
      const socket = createSocket(type).on('message', (packet) => packets.push(packet));
      socket.bind(machine.port, type === 'udp4' ? '127.0.0.1' : '::1');
      t.after(() => socket.close());
    }
    const page = shortvideoSite();
    const site = await serveSite(({ browsed, ...request }) => {
      if (!browsed) return { body: '' };
      const answer = page({ browsed, ...request });
      // A platform that offers QUIC on another port.
      const headers = {
        ...answer?.headers,
        'alt-svc': `h3=":${machine.port}"; ma=3600, h3="127.0.0.1:${machine.port}"`,
      };
      if (!request.path.startsWith('/@')) return { ...answer, headers };
      return { ...answer, headers, body: `${pastProxies(machine.port)}${answer?.body}` };
    });
    const { status, out, err } = await site.extract('shortvideo/comments', ['--id', videoId, '--all']);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out).data.length, 55);
    assert.deepEqual([machine.sockets.size, machine.requests, packets.length], [0, [], 0]);
    assert.deepEqual(
      site.tunnels.filter((one) => one !== 'www.tiktok.com:443'),
      [],
    );
  });

  for (const [name, answer] of [
    ['a redirect', { status: 302, headers: {} }],
    ['a script', { body: "<script>location = 'TARGET'</script>" }],
    ['a refresh', { body: '<meta http-equiv="refresh" content="0;url=TARGET">' }],
  ] as const) {
    test(`follows ${name} to no port of the machine of the proxy`, async (t) => {
      const machine = await loopback(t, (_request, response) => response.end('secret'));
      const target = `${machine.origin}/inside`;
      const { extract } = await serveSite(({ browsed }) =>
        !browsed
          ? { body: '' }
          : 'status' in answer
            ? { status: 302, headers: { location: target } }
            : { body: answer.body.replace('TARGET', target) },
      );
      const { status, err } = await extract('shortvideo/profile', ['--username', 'baker']);
      assert.equal(status, 5, err);
      assert.doesNotMatch(err, /HTTPS_PROXY/);
      assert.deepEqual([machine.sockets.size, machine.requests], [0, []]);
    });
  }
});
