import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { writeLogin } from '../../../lib/remote/login.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { cursorSecret } from '../../../lib/runtime/secret.js';
import { openStore } from '../../../src/compose/open-store.js';
import { secretValues } from '../../../src/config/settings.js';
import { bundleObject, writeBundle } from '../../../src/faces/doctor/bundle.js';
import { failed, ok } from '../../../src/faces/doctor/finding.js';
import { redact } from '../../../src/faces/doctor/redact.js';
import { noOutcomes } from '../../../src/service/health/call-outcome.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();

/** Every setting that holds a secret, with one. */
const env = {
  EXTRACT_API_KEY: 'ek_setting0123456789abcdefghijklmnop',
  EXTRACT_WEBHOOK_SECRET: 'whsec_setting0123456789abcdefghij',
  EXTRACT_METRICS_TOKEN: 'metrics-token-7261',
  EXTRACT_STRIPE_KEY: 'sk_live_51Habcdefgh',
  EXTRACT_STRIPE_WEBHOOK_SECRET: 'whsec_stripe0123456789abcdefghij',
  EXTRACT_SELLER: 'Ann Person GmbH; Harbour Lane 7; DE123456789',
  EXTRACT_SMTP_URL: 'smtps://mailer:p%40ssw0rd-mail@mail.example.com:465',
  HTTPS_PROXY: 'http://proxyname:proxyword@proxy.example.com:3128',
};
const secretTexts = [
  ...[env.EXTRACT_API_KEY, env.EXTRACT_WEBHOOK_SECRET, env.EXTRACT_METRICS_TOKEN, env.EXTRACT_STRIPE_KEY],
  ...[env.EXTRACT_STRIPE_WEBHOOK_SECRET, 'p@ssw0rd-mail', 'p%40ssw0rd-mail', 'proxyword', 'proxyname'],
];

/** A data directory with a login, a key of cursors, accounts, keys, and an error that quotes all secrets. */
async function home() {
  const folder = path.join(root, 'home');
  const { ledger, accounts, health } = await openStore(folder, systemClock, 0);
  const { id } = await accounts.create({ email: 'ann.person@example.com', verified: true, credits: 1000 });
  const { secret } = await accounts.createKey({ account: id, name: 'first', platforms: null });
  const cursorKey = Buffer.from(await cursorSecret(folder)).toString('hex');
  writeLogin(folder, { baseUrl: 'https://extract.example.com/v1', apiKey: 'custom-login-key-9917' });
  const secrets = [...secretTexts, secret, cursorKey, 'custom-login-key-9917'];
  const message = `The page https://x.example.com/?q=1&access_token=tok-in-a-query led nowhere; ${secrets.join(' ')} ann.person@example.com ${os.homedir()}/x`;
  const endpoint = 'maps/place';
  const day = new Date(systemClock.now()).toISOString().slice(0, 10);
  const seen = `GET https://www.google.com/?token=${secrets[0]} 200`;
  const error = { at: '2026-11-22T00:00:00.000Z', code: 'platform_changed', message, seen } as const;
  const minutes = { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 1, unknown: 0 };
  const about = { since: 1, reasons: ['so'], canary: null, hours: [], minutes: [] };
  const state = { ...about, state: 'changed' } as const;
  await health.add(
    [{ endpoint, day, answers: 0, filled: {}, outcomes: noOutcomes(), minutes }],
    [{ endpoint, ...state, errors: [error] }],
  );
  await ledger.close();
  return { folder, secrets: [...secrets, 'tok-in-a-query', 'ann.person@example.com', id] };
}

const { folder, secrets } = await home();
const pages = path.join(root, 'pages');
mkdirSync(pages);
const pageFiles = {
  'pages.ndjson': '{"url":"https://www.google.com/maps?token=secret-in-page-url"}\n',
  'session.har':
    '{"headers":[{"name":"Cookie","value":"SID=har-cookie; \\"x"},{"name":"Accept","value":"kept-header"}],"cookies":[{"name":"SID","value":"har-jar"}]}',
  'heads.txt':
    "HTTP/2 200\nSet-Cookie: SID=head-cookie; Path=/\ncontent-type: text/html\n\ncurl -H 'Cookie: SID=curl-cookie' https://x.example.com\n",
  'dump.json':
    '{"set-cookie":["a=list-cookie","b=2"],"cookie":"SID=json-cookie","cookies":{"SID":"object-cookie"},"kept":"kept-value"}<script>document.cookie="SID=script-cookie"</script>',
  'maps-0001.html': `<html><title>Shell</title>${env.EXTRACT_API_KEY}</html>`,
};
for (const [name, text] of Object.entries(pageFiles)) writeFileSync(path.join(pages, name), text);

const parts = {
  home: folder,
  findings: [
    ok('node', 'v24'),
    failed('login', `The server refused ${env.EXTRACT_API_KEY}.`, 'extract login'),
  ],
  settings: [
    { setting: 'EXTRACT_API_KEY', value: '***', default: null },
    { setting: 'HTTPS_PROXY', value: env.HTTPS_PROXY, default: null },
    { setting: 'EXTRACT_USER_AGENT', value: 'me/1 (+mailto:ann.person@example.com)', default: 'x' },
    { setting: 'EXTRACT_SELLER', value: 'Ann Person GmbH; Harbour Lane 7; DE123456789', default: null },
    { setting: 'EXTRACT_CACHE', value: true, default: true },
  ],
  pages,
  secrets: secretValues(env),
};

describe('a bundle', () => {
  test('contains no secret of settings, data directory, errors or pages, and no person', async () => {
    const file = path.join(root, 'bundle.json');
    await writeBundle(file, parts);
    const text = readFileSync(file, 'utf8');
    const cookies = ['har', 'head', 'curl', 'list', 'json', 'object', 'script'].map((one) => `${one}-cookie`);
    const person = ['Ann Person', 'Harbour Lane', 'DE123456789'];
    for (const hidden of [...secrets, 'secret-in-page-url', ...person, 'har-jar', ...cookies])
      assert.ok(!text.includes(hidden), hidden);
    for (const word of ['kept-header', 'kept-value', 'content-type: text/html'])
      assert.ok(text.includes(word), word);
    assert.ok(!text.includes(os.homedir()) || os.homedir() === '/');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('contains everything that a report needs', async () => {
    const bundle = (await bundleObject(parts)) as unknown as {
      readonly checks: readonly unknown[];
      readonly settings: readonly { setting: string }[];
      readonly endpoints: readonly { endpoint: string; state: string; errors: { message: string }[] }[];
      readonly pages: readonly { file: string }[];
    };
    const names = 'made_at version node system checks settings endpoints pages';
    assert.equal(Object.keys(bundle).join(' '), names);
    assert.equal(bundle.checks.length, 2);
    const settings = bundle.settings.map(({ setting }) => setting).join(' ');
    assert.equal(settings, 'EXTRACT_API_KEY HTTPS_PROXY EXTRACT_USER_AGENT EXTRACT_SELLER');
    const [place] = bundle.endpoints;
    assert.deepEqual([place?.endpoint, place?.state], ['maps/place', 'changed']);
    const said = /^The page https:\/\/x\.example\.com\/\?q=1&access_token=\*\*\* led/;
    assert.match(place?.errors[0]?.message ?? '', said);
    assert.deepEqual(bundle.pages.map(({ file }) => file).sort(), Object.keys(pageFiles).sort());
  });

  test('can be created from a damaged data directory', async () => {
    const damaged = path.join(root, 'damaged');
    mkdirSync(damaged);
    writeFileSync(path.join(damaged, 'ledger.db'), 'nonsense '.repeat(2000));
    writeFileSync(path.join(damaged, 'login.json'), '{');
    const bundle = (await bundleObject({ ...parts, home: damaged })) as { endpoints: unknown };
    assert.match(String(bundle.endpoints), /cannot be read/);
  });

  test('never overwrites a file, and reports an unwritable one', async () => {
    await assert.rejects(writeBundle(path.join(root, 'bundle.json'), parts), /already exists/);
    const nowhere = /folder\.json cannot be written: its folder does not exist\./;
    await assert.rejects(writeBundle(path.join(root, 'no', 'folder.json'), parts), nowhere);
  });
});

test('anything that looks like a secret is removed from a text, and the rest stays', () => {
  const clean = (text: string) => redact(text, []);
  assert.equal(clean('Authorization: Bearer abc.def-1'), 'Authorization: Bearer ***');
  assert.equal(clean('https://u:p@h/x?api_key=1&b=2'), 'https://***@h/x?api_key=***&b=2');
  for (const plain of ['https://www.tiktok.com/@nasa/video/1', 'maps/place ended after 3 pages.'])
    assert.equal(clean(plain), plain);
  // A user of a container has the root as home.
  const { HOME: home } = process.env;
  process.env.HOME = '/';
  try {
    assert.equal(clean('/var/lib/extract'), '/var/lib/extract');
  } finally {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
  }
});
