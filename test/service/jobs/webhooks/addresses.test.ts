import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, test } from 'node:test';
import {
  AllowedHosts,
  isPublic,
  publicRange6,
  specialRanges4,
  specialRanges6,
} from '../../../../src/service/jobs/webhooks/addresses.js';
import { Targets } from '../../../../src/service/jobs/webhooks/targets.js';

const bits4 = (address: string) => address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
const text4 = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');

function bits6(address: string): bigint {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}
const text6 = (bits: bigint) =>
  [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((at) => ((bits >> (at * 16n)) & 65535n).toString(16)).join(':');

/** First and last address of a range, and those just outside of it. */
function edges(range: string, width: bigint, bits: (text: string) => bigint, text: (bits: bigint) => string) {
  const [network = '', length = ''] = range.split('/');
  const first = bits(network);
  const last = first + (1n << (width - BigInt(length))) - 1n;
  const outside = [first - 1n, last + 1n].filter((one) => one >= 0n && one < 1n << width);
  return { inside: [first, last].map(text), outside: outside.map(text) };
}

/** Ranges that touch: what lies just outside of one may lie inside of another. */
const within = (address: string, ranges: readonly string[], family: 'ipv4' | 'ipv6') =>
  ranges.some((range) => {
    const list = new BlockList();
    const [network = '', length] = range.split('/');
    list.addSubnet(network, Number(length), family);
    return list.check(address, family);
  });

describe('an address', () => {
  test('of each special IPv4 range is not public, just outside of it is, and mapped it never is', () => {
    let outsides = 0;
    for (const range of specialRanges4) {
      const { inside, outside } = edges(range, 32n, bits4, text4);
      for (const address of inside) assert.equal(isPublic(address), false, `${address} of ${range}`);
      for (const address of outside) {
        if (within(address, specialRanges4, 'ipv4')) continue;
        outsides += 1;
        assert.equal(isPublic(address), true, `${address} beside ${range}`);
      }
      for (const address of [...inside, ...outside]) {
        for (const form of [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]) {
          assert.equal(isPublic(form), false, form);
        }
      }
    }
    assert.ok(outsides > 25, String(outsides));
  });

  test('of each special IPv6 range is not public, just outside of it is', () => {
    for (const range of specialRanges6) {
      const { inside, outside } = edges(range, 128n, bits6, text6);
      for (const address of inside) assert.equal(isPublic(address), false, `${address} of ${range}`);
      for (const address of outside) {
        const expected = within(address, [publicRange6], 'ipv6') && !within(address, specialRanges6, 'ipv6');
        assert.equal(isPublic(address), expected, `${address} beside ${range}`);
      }
    }
    const { inside, outside } = edges(publicRange6, 128n, bits6, text6);
    assert.equal(isPublic(inside[0] as string), true);
    for (const address of outside) assert.equal(isPublic(address), false, address);
    // The registries' other ranges are outside the space assigned to hosts.
    for (const address of [
      ...['::', '::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '5f00::1'],
      ...['fc00::1', 'fdff::1', 'fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1', '2001::1', '2002:7f00:1::'],
    ]) {
      assert.equal(isPublic(address), false, address);
    }
    for (const address of ['2606:4700:4700::1111', '2a00:1450:4001::8a', '2620:4f:7fff::1']) {
      assert.equal(isPublic(address), true, address);
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
    for (const address of [
      '10.0.255.255',
      '10.2.0.0',
      '127.0.0.2',
      'fe80::1',
      '::2',
      '::ffff:127.0.0.1',
      'x',
    ]) {
      assert.ok(!allowed.hasAddress(address), address);
    }
    for (const wrong of [
      '',
      'a b',
      '10.0.0.0/33',
      '10.0.0.0/x',
      'https://a',
      'a:1',
      '::/129',
      '*.internal',
    ]) {
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
    const targets = new Targets([], async (host) =>
      host === 'good.example'
        ? [
            { address: '2606:2800:220:1::1', family: 6 },
            { address: '93.184.216.34', family: 4 },
          ]
        : [{ address: '127.0.0.1', family: 4 }],
    );
    const lookup = (host: string, options: object) =>
      new Promise((resolve) => {
        targets.lookup(host, options, (...result) => resolve(result));
      });
    assert.deepEqual(await lookup('good.example', { all: true }), [
      null,
      [
        { address: '2606:2800:220:1::1', family: 6 },
        { address: '93.184.216.34', family: 4 },
      ],
    ]);
    assert.deepEqual(await lookup('good.example', { family: 4 }), [null, '93.184.216.34', 4]);
    const [error] = (await lookup('bad.example', { all: true })) as [Error];
    assert.equal(error.name, 'NotPublic');
  });
});
