import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amountOf, amountText, currencyDigits, isCurrency } from '../../src/config/currency.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import { secretValues } from '../../src/config/settings.js';
import { refusal } from '../ledger/ledger-port.js';

const from = { EXTRACT_MAIL_FROM: 'no-reply@x.test' };

const apart = refusal('invalid_parameter', /together/);
/** A refusal that says this, and does not repeat a secret. */
const hides = (said: RegExp, secret: string) => (error: Error) =>
  said.test(error.message) && !error.message.includes(secret);

describe('the settings of hosting', () => {
  test('are optional, all of them', () => {
    assert.deepEqual(readHostingConfig({}), {
      ...{ mail: undefined, emailAllow: [], packPrices: [], currency: 'EUR', bucket: null },
      ...{ paymentText: undefined, stripe: undefined, operatorEmail: undefined, seller: undefined },
    });
  });

  test('name a mail server', () => {
    const server = (url: string) => readHostingConfig({ EXTRACT_SMTP_URL: url, ...from }).mail?.server;
    const secure = { host: 'mail.example.com', port: 465, secure: true };
    const login = { user: 'ann', password: 'p@ss/' };
    assert.deepEqual(server('smtps://ann:p%40ss%2F@mail.example.com'), { ...secure, login });
    const plain = { host: '::1', port: 2525, secure: false, login: undefined };
    assert.deepEqual(server('smtp://[::1]:2525/'), plain);
    assert.equal(server('smtp://mail')?.port, 587);
    const other = { user: 'ann@x.test', password: '50%' };
    assert.deepEqual(server('smtp://ann%40x.test:50%25@mail')?.login, other);
    // What may be secret is not repeated.
    const none = ['mail.example.com', 'https://s3cret@x', 'smtp://'];
    for (const url of [...none, 'smtps://u:s3cret@mail?x=1', 'smtp://u:s3cret@mail/path'])
      assert.throws(() => server(url), hides(/EXTRACT_SMTP_URL must/, 's3cret'), url);
  });

  test('name a sender, which a mail server needs', () => {
    const sender = (text: string) =>
      readHostingConfig({ EXTRACT_SMTP_URL: 'smtp://mail', EXTRACT_MAIL_FROM: text }).mail?.from;
    assert.deepEqual(sender('no-reply@x.test'), { name: '', address: 'no-reply@x.test' });
    const named = { name: 'Extract & Co', address: 'no-reply@x.test' };
    assert.deepEqual(sender('Extract & Co <no-reply@x.test>'), named);
    assert.deepEqual(sender('"Extract" <no-reply@x.test>'), { name: 'Extract', address: 'no-reply@x.test' });
    for (const none of ['', 'Extract', 'a@b.test, c@d.test', 'x\r\nBcc: a@b.test <a@b.test>', '<>'])
      assert.throws(() => sender(none), refusal('invalid_parameter', /EXTRACT_MAIL_FROM/), none);
  });

  test('name prices of the four packs, in a currency', () => {
    const prices = (text: string, currency = 'EUR') =>
      readHostingConfig({ EXTRACT_PACK_PRICES: text, EXTRACT_CURRENCY: currency }).packPrices;
    assert.deepEqual(prices('250000=199, 50000 = 49.00'), [
      { credits: 50_000, price: '49.00', amount: 4900 },
      { credits: 250_000, price: '199', amount: 19_900 },
    ]);
    assert.equal(prices('50000=7900', 'jpy')[0]?.amount, 7900);
    assert.equal(prices('50000=1.234', 'KWD')[0]?.amount, 1234);
    const none = '50000 50000= 60000=1 50000=1,50000=2 50000=-1 50000=0 50000=0.00 50000=1.234 50000=1e3';
    for (const text of [...none.split(' '), '50000=9999999999'])
      assert.throws(() => prices(text), refusal('invalid_parameter', /EXTRACT_PACK_PRICES/), text);
    assert.throws(() => prices('50000=79.50', 'JPY'), refusal('invalid_parameter'));
    for (const none of ['EURO', 'XQQ', '€'])
      assert.throws(() => prices('', none), refusal('invalid_parameter'));
  });

  test('of Stripe are set together or not at all', () => {
    const both = { EXTRACT_STRIPE_KEY: 'sk', EXTRACT_STRIPE_WEBHOOK_SECRET: 'whsec' };
    assert.deepEqual(readHostingConfig(both).stripe, { key: 'sk', webhookSecret: 'whsec' });
    for (const name of Object.keys(both)) {
      assert.throws(() => readHostingConfig({ ...both, [name]: '' }), apart);
    }
  });

  test('a bucket’s settings require an absolute plain address, and are never shown', () => {
    const storage = {
      ...{ EXTRACT_S3_ENDPOINT: 'https://s3.example.com', EXTRACT_S3_KEY_ID: 'key-id' },
      ...{ EXTRACT_S3_SECRET: 'top-secret', EXTRACT_S3_BUCKET: 'results', EXTRACT_S3_PREFIX: '/a/b/' },
    };
    const bucket = readHostingConfig(storage).bucket;
    assert.deepEqual([bucket?.bucket, bucket?.prefix], ['results', 'a/b']);
    const settings = { endpoint: 'https://s3.example.com/', region: 'us-east-1', keyId: 'key-id' };
    assert.deepEqual(bucket?.settings, { ...settings, secret: 'top-secret' });
    const reading = (over: object) => () => readHostingConfig({ ...storage, ...over });
    for (const name of ['EXTRACT_S3_ENDPOINT', 'EXTRACT_S3_KEY_ID', 'EXTRACT_S3_SECRET'])
      assert.throws(reading({ [name]: '' }), apart);
    for (const wrong of ['s3.example.com', 'ftp://s3.example.com', 'https://ann:word@s3.example.com'])
      assert.throws(reading({ EXTRACT_S3_ENDPOINT: wrong }), hides(/must be an address like/, 'word'));
    assert.ok(secretValues(storage).includes('top-secret'));
  });
});

describe('a currency', () => {
  test('has the number of decimals of ISO 4217', () => {
    assert.deepEqual(['EUR', 'JPY', 'KWD', 'HUF', 'CLF'].map(currencyDigits), [2, 0, 3, 2, 4]);
    assert.deepEqual(['EUR', 'XYZ', 'eur', ''].map(isCurrency), [true, false, false, false]);
  });

  test('is written and read', () => {
    assert.equal(amountText(4900, 'EUR'), '€49.00');
    assert.equal(amountText(7900, 'JPY'), '¥7,900');
    // The amount charged, whatever ICU's tables show.
    assert.equal(amountText(1_990_050, 'HUF').replace(/\s/u, ' '), 'HUF 19,900.50');
    const amounts = ['0.07', '.5', '1.'].map((text) => amountOf(text, 'EUR'));
    assert.deepEqual(amounts, [7, null, null]);
  });
});
