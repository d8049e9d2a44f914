import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { signWebhook, verifyWebhook } from '../lib/webhook.js';

const secret = 'whsec_invented';
const body = '{"id":"job_1","name":"Mira Kettle ☕"}';
const time = 1_767_225_600;
const now = time * 1000;
const signature = signWebhook([secret], time, body);

describe('a delivery', () => {
  test('is signed as documented: HMAC-SHA256 over time, dot and body, in lower-case hex', () => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    assert.equal(signature, `t=${time},v1=${expected}`);
  });

  test('is taken as text and as bytes', () => {
    assert.ok(verifyWebhook({ body, signature, secret, now }));
    assert.ok(verifyWebhook({ body: Buffer.from(body), signature, secret, now }));
  });

  test('is taken up to 300 seconds from now, on both sides, and no farther', () => {
    const at = (seconds: number) => verifyWebhook({ body, signature, secret, now: now + seconds * 1000 });
    assert.deepEqual([-301, -300, 0, 300, 301].map(at), [false, true, true, true, false]);
    assert.equal(verifyWebhook({ body, signature, secret }), Math.abs(Date.now() / 1000 - time) <= 300);
  });

  test('is accepted if any of several signatures is right', () => {
    const both = signWebhook(['whsec_new', secret], time, body);
    assert.equal(both.match(/v1=/g)?.length, 2);
    for (const one of ['whsec_new', secret])
      assert.ok(verifyWebhook({ body, signature: both, secret: one, now }));
    assert.ok(!verifyWebhook({ body, signature: both, secret: 'whsec_other', now }));
  });

  test('is refused when anything of it is not what was signed', () => {
    const [t = '', v1 = ''] = signature.split(',');
    const wrong = [
      ...[
        '',
        'nonsense',
        t,
        v1,
        `${t},v0=${v1.slice(3)}`,
        `t=${time + 1},${v1}`,
        `t=-${time},${v1}`,
        `t=,${v1}`,
      ],
      ...[`${t},v1=`, `${t},${v1}0`, `${t},${v1.slice(0, -1)}`, `${t},${v1.toUpperCase()}`, `${v1},t=1e9`],
    ];
    for (const one of wrong) assert.ok(!verifyWebhook({ body, signature: one, secret, now }), one);
    for (const one of [null, undefined]) assert.ok(!verifyWebhook({ body, signature: one, secret, now }));
    assert.ok(!verifyWebhook({ body: `${body}\n`, signature, secret, now }));
    assert.ok(!verifyWebhook({ body, signature, secret: `${secret} `, now }));
    assert.ok(!verifyWebhook({ body, signature: signWebhook([''], time, body), secret: '', now }));
  });

  test('whatever comes, is judged and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (signature, text, key) => {
        assert.equal(verifyWebhook({ body: text, signature, secret: key, now }), false);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.nat(4_000_000_000), (bytes, key, at) => {
        const signed = signWebhook([key], at, bytes);
        assert.ok(verifyWebhook({ body: bytes, signature: signed, secret: key, now: at * 1000 }));
      }),
    );
  });
});
