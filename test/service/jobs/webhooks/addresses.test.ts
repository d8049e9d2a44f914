import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AllowedHosts, isPublic } from '../../../../src/service/jobs/webhooks/addresses.js';
import { Targets } from '../../../../src/service/jobs/webhooks/targets.js';

/** The words of a text. */
const list = (text: string) => text.trim().split(/\s+/);

/** First and last addresses of the special IPv4 ranges. */
const specialEdges4 = list(`
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
  169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255
  192.31.196.0 192.31.196.255 192.52.193.0 192.52.193.255 192.88.99.0 192.88.99.255 192.168.0.0
  192.168.255.255 192.175.48.0 192.175.48.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255
  203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255
`);
/** The addresses just outside of them. */
const publicEdges4 = list(`
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.31.195.255
  192.31.197.0 192.52.192.255 192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
  192.175.47.255 192.175.49.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255
  203.0.114.0 223.255.255.255
`);
// The registries’ other ranges are outside the space assigned to hosts.
const specialEdges6 = list(`
  1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8::
  2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2620:4f:8000::
  2620:4f:8000:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff :: ::1
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 5f00::1 fc00::1 fdff::1 fe80::1 fe80::1%lo fec0::1
  ff02::1 2001::1 2002:7f00:1::
`);
const publicEdges6 = list(`
  2000:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: 2001:db9:: 2003::
  2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2620:4f:8001::
  2620:4f:7fff:ffff:ffff:ffff:ffff:ffff 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::
  2606:4700:4700::1111 2a00:1450:4001::8a 2620:4f:7fff::1
`);

describe('an address', () => {
  test('is not public within a special range, and public just outside of it', () => {
    for (const address of [...specialEdges4, ...specialEdges6])
      assert.equal(isPublic(address), false, address);
    for (const address of [...publicEdges4, ...publicEdges6]) assert.equal(isPublic(address), true, address);
  });

  test('is never public as a mapped or translated IPv4 address', () => {
    for (const address of [...specialEdges4, ...publicEdges4]) {
      for (const form of [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]) {
        assert.equal(isPublic(form), false, form);
      }
    }
  });

  test('is not public if it is invalid', () => {
    for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '0x7f.1', '1.2.3.4/8', ' 8.8.8.8']) {
      assert.equal(isPublic(text), false, text);
    }
  });
});

describe('the operator’s list', () => {
  test('accepts names, addresses and ranges only', () => {
    const allowed = new AllowedHosts(['Hooks.Internal.', '10.1.0.0/16', '127.0.0.1', 'fd00::/8', '[::1]']);
    assert.ok(allowed.hasName('hooks.internal') && allowed.hasName('HOOKS.INTERNAL.'));
    assert.ok(!allowed.hasName('internal') && !allowed.hasName('a.hooks.internal'));
    for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd12::1', '::1']) {
      assert.ok(allowed.hasAddress(address), address);
    }
    const others = ['10.0.255.255', '10.2.0.0', '127.0.0.2', 'fe80::1', '::2', '::ffff:127.0.0.1', 'x'];
    for (const address of others) {
      assert.ok(!allowed.hasAddress(address), address);
    }
    const invalid = ['', 'a b', '10.0.0.0/33', '10.0.0.0/x', 'https://a', 'a:1', '::/129', '*.internal'];
    for (const wrong of invalid) {
      assert.throws(() => new AllowedHosts([wrong]), { code: 'invalid_parameter' }, wrong);
    }
  });
});

describe('the target of a webhook', () => {
  const none = async () => {
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  };

  test('cannot hide a private address behind an odd spelling', async () => {
    const targets = new Targets([], none);
    for (const host of [
      ...['127.0.0.1', '127.1', '0x7f000001', '0x7f.0.0.1', '2130706433', '0177.0.0.1', '017700000001'],
      ...['127.0.0.1.', '１２７.０.０.１', '127。0。0。1', '0', '[::1]', '[::]', '[::ffff:7f00:1]'],
      ...['[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '169.254.169.254'],
      ...['[fd00:ec2::254]', '100.100.100.200', '192.0.0.192', '[fe80::1]'],
    ]) {
      const url = `https://${host}:8443/hook`;
      await assert.rejects(targets.check(url), { code: 'webhook_url_not_allowed' }, host);
      assert.throws(() => targets.checkLiteral(url), { name: 'NotPublic' }, host);
    }
    for (const host of ['8.8.8.8', '[2606:4700:4700::1111]']) await targets.check(`https://${host}/`);
  });

  test('must have only public addresses if it is a name', async () => {
    const names: Record<string, string[]> = {
      'good.example': ['93.184.216.34', '2606:2800:220:1::1'],
      'half.example': ['93.184.216.34', '10.0.0.8'],
      'six.example': ['::ffff:169.254.169.254'],
      localhost: ['127.0.0.1'],
      'hooks.internal': ['10.0.0.8'],
      'range.example': ['192.168.7.7'],
    };
    const targets = new Targets(['hooks.internal', '192.168.7.0/24'], async (host) => {
      const found = names[host];
      if (found === undefined) return none();
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    });
    const check = (host: string) => targets.check(`https://${host}/`);
    for (const host of ['good.example', 'GOOD.example.', 'hooks.internal', 'range.example'])
      await check(host);
    for (const host of ['half.example', 'six.example', 'localhost', 'localhost.', 'unknown.example']) {
      await assert.rejects(check(host), { code: 'webhook_url_not_allowed' }, host);
    }
    // The error does not reveal what the name resolves to inside this network.
    await assert.rejects(check('half.example'), (error: Error) => !error.message.includes('10.0.0.8'));
    // A proxy gets an address that was checked, or a name that the operator lists.
    assert.equal(await targets.addressOf('good.example'), '93.184.216.34');
    assert.equal(await targets.addressOf('hooks.internal'), 'hooks.internal');
    assert.equal(await targets.addressOf('8.8.8.8'), '8.8.8.8');
    for (const host of ['half.example', '127.0.0.1', 'unknown.example']) {
      await assert.rejects(targets.addressOf(host), host);
    }
  });

  test('resolves to all its addresses for a connection, or is refused', async () => {
    const good = [
      { address: '2606:2800:220:1::1', family: 6 },
      { address: '93.184.216.34', family: 4 },
    ];
    const targets = new Targets([], async (host) =>
      host === 'good.example' ? good : [{ address: '127.0.0.1', family: 4 }],
    );
    const lookup = (host: string, options: object) =>
      new Promise((resolve) => {
        targets.lookup(host, options, (...result) => resolve(result));
      });
    assert.deepEqual(await lookup('good.example', { all: true }), [null, good]);
    assert.deepEqual(await lookup('good.example', { family: 4 }), [null, '93.184.216.34', 4]);
    const [error] = (await lookup('bad.example', { all: true })) as [Error];
    assert.equal(error.name, 'NotPublic');
  });
});
