import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { defaultDocsBase } from '../../../../lib/errors/extract-error.js';
import { isInTheOpen } from '../../../../lib/remote/base-url.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { openStore } from '../../../../src/compose/open-store.js';
import { noteAddress } from '../../../../src/compose/server-address.js';
import { readServerConfig } from '../../../../src/config/server-config.js';
import { isSecret } from '../../../../src/service/accounts/api-key.js';
import { inspect } from '../../../ledger/books.js';
import { argv, assertExit, dataOf, errorOf, extract, testHome } from '../../../support/cli.js';
import { testServer } from '../../../support/server.js';

// Made here, so that it lasts for the whole file.
testHome();
const email = 'ann@example.com';

describe('extract server admin', () => {
  test('link creates a new link to the admin page, which revokes the previous one', async () => {
    noteAddress(testHome(), 'http://127.0.0.1:24200');
    const noted = await extract(argv`admin link --json`, { settings: { docsUrl: defaultDocsBase } });
    assert.match(JSON.parse(noted.out).data.url, /^http:\/\/127\.0\.0\.1:24200\/admin\/sign-in\?token=/);
    const [first, second] = [await dataOf(['admin', 'link']), await dataOf(['admin', 'link'])];
    assert.match(first.url, /^https:\/\/docs\.example\/admin\/sign-in\?token=[\w-]{43}$/);
    const tokenOf = ({ url }: typeof first) => new URL(url).searchParams.get('token') ?? '';
    const { adminSignIn, ledger } = await openStore(testHome(), systemClock, 500);
    assert.equal(await adminSignIn.confirm(tokenOf(first)), null);
    const session = await adminSignIn.confirm(tokenOf(second));
    assert.equal(await adminSignIn.isOpen(session ?? ''), true);
    await ledger.close();
  });
});

describe('extract server accounts', () => {
  test('makes, lists, credits and confirms', async () => {
    const account = await dataOf(argv`accounts create --email Ann@Example.com --credits 50000`);
    assert.match(account.id, /^acct_/);
    const { verified, credits, bought } = account;
    assert.deepEqual([account.email, verified, credits, bought], [email, false, 50_000, true]);
    assert.deepEqual(await dataOf(['accounts', 'list']), [account]);
    assert.equal((await dataOf(argv`accounts credit --email ${email} --credits 7`)).credits, 50_007);
    const receipts = inspect(path.join(testHome(), 'ledger.db'), (db) =>
      db.prepare('SELECT account, credits, method, status FROM purchases').all(),
    );
    assert.deepEqual(receipts, [{ account: account.id, credits: 7, method: 'hand', status: 'paid' }]);
    for (const _ of ['first', 'second']) {
      const confirmed = await dataOf(argv`accounts verify --email ${email}`);
      assert.deepEqual([confirmed.verified, confirmed.credits], [true, 50_507]);
    }
    const other = await dataOf(argv`accounts create --email bob@example.com --verified`);
    assert.deepEqual([other.verified, other.credits, other.bought], [true, 500, false]);
    const both = argv`accounts create --email cyd@example.com --verified --credits 50000`;
    assert.match((await extract(both)).err, /The balance is 50,000 credits, and 500 of the trial\./);
  });

  test('accepts disposable addresses with an option', async () => {
    const create = argv`accounts create --email`;
    for (const one of ['a@mailinator.com', 'A@sub.Mailinator.COM']) {
      const error = await errorOf([...create, one], 3);
      assert.equal(error.code, 'disposable_email');
      assert.match(error.message, /--allow-disposable/);
      assert.equal((await dataOf([...create, one, '--allow-disposable'])).email, one.toLowerCase());
    }
  });

  test('refuses impossible options', async () => {
    for (const [args, words, code = 'invalid_parameter'] of [
      [argv`accounts create --email ${email}`, /already/],
      [argv`accounts create --email nobody`, /./],
      [argv`accounts create`, /./, 'missing_parameter'],
      [argv`accounts credit --credits 5 --email x@y.example`, /No account/],
      [argv`accounts verify --email x@y.example`, /No account/],
      ...['0', '1.5', 'many', '99999999999'].map(
        (count) => [argv`accounts credit --email ${email} --credits ${count}`, /./] as const,
      ),
    ] as const) {
      const error = await errorOf(args, 2);
      assert.equal(error.code, code, args.join(' '));
      assert.match(error.message, words);
    }
  });
});

describe('extract server keys', () => {
  test('makes a key whose secret is in that answer and nowhere else', async () => {
    const create = argv`keys create --email ${email} --name laptop --platforms ${'maps, photosocial'}`;
    const { secret, ...shown } = await dataOf(create);
    assert.equal(isSecret(secret), true);
    assert.match(shown.id, /^key_/);
    assert.deepEqual([shown.name, shown.platforms], ['laptop', ['maps', 'photosocial']]);
    assert.equal(shown.revoked_at, null);
    assert.deepEqual(await dataOf(argv`keys list --email ${email}`), [shown]);
    assert.deepEqual(await dataOf(argv`keys list --email bob@example.com`), []);
    assert.ok(!readFileSync(path.join(testHome(), 'ledger.db')).includes(secret));
    const { err } = await extract(argv`keys create --email ${email} --name seen`, { stderrIsTTY: true });
    assert.match(err, /not shown again/);
  });

  test('revokes', async () => {
    const [first] = await dataOf(['keys', 'list']);
    const revoked = await dataOf(['keys', 'revoke', first.id]);
    assert.ok(revoked.revoked_at);
    assert.deepEqual(await dataOf(['keys', 'revoke', first.id]), revoked);
  });

  test('refuses impossible options', async () => {
    const create = argv`keys create --name x`;
    for (const [args, words] of [
      [argv`keys revoke key_none`, /Unknown key/],
      [argv`keys create --email ${email}`, /--name/],
      [argv`${create} --email ${email} --platforms maps,mars`, /Choose from maps/],
      [argv`${create} --email ${email} --expires soon`, /a date such as/],
      [argv`${create} --email ${email} --expires 2020-01-01`, /expire in the future/],
      [argv`${create} --email x@y.example`, /No account/],
    ] as const)
      assert.match((await errorOf(args, 2)).message, words);
    for (let key = 0; key < 9; key += 1) await dataOf(argv`keys create --email ${email} --name k${key}`);
    const eleventh = await errorOf(argv`keys create --email ${email} --name eleven`, 3);
    assert.equal(eleventh.code, 'key_limit_reached');
  });
});

describe('extract serve', () => {
  test('refuses an invalid port or address', async () => {
    for (const port of ['70000', '-1', 'http', ''])
      assert.match((await errorOf(['serve', '--port', port], 2)).message, /It must be a port/, port);
    for (const proxy of ['nonsense', '10.0.0.0/33', '10.0.0.0/0', '1.2.3', '::1/129', 'loopback,a'])
      assert.match((await errorOf(['serve', '--trust-proxy', proxy], 2)).message, /Trusted proxies/, proxy);
  });

  test('reads which proxies it believes', () => {
    const read = (setting: string) => readServerConfig({}, { EXTRACT_TRUST_PROXY: setting }).trustProxy;
    for (const none of ['', 'false', 'no', '0']) assert.deepEqual(read(none), []);
    assert.deepEqual(read('true'), ['loopback', 'linklocal', 'uniquelocal']);
    const listed = ['10.0.0.1', '10.1.0.0/16', 'fd00::/8', '::1', 'loopback'];
    assert.deepEqual(read(listed.join(', ')), listed);
  });
});

describe('extract login', async () => {
  const server = await testServer();
  const { secret, id } = await server.account({ credits: 50_000 });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
  const file = path.join(testHome(), 'login.json');
  const demo = argv`shortvideo profile mira.kettle --demo --json`;

  const login = argv`login --base-url`;

  test('keeps nothing that the server does not take', async () => {
    const wrong = await errorOf([...login, base], 3, { stdin: 'xt_live_nonsense\n' });
    assert.equal(wrong.code, 'invalid_api_key');
    assert.equal((await errorOf([...login, base], 3)).code, 'missing_api_key');
    const nowhere = await errorOf([...login, 'nowhere'], 2, { stdin: secret });
    assert.match(nowhere.message, /^--base-url must be the http or https URL of a server/);
    const near = assertExit(await extract([...login, 'http://127.0.0.1:9'], { stdin: secret }), 5);
    assert.doesNotMatch(near.err, /Warning/);
    assert.equal(existsSync(file), false);
  });

  test('warns before a key is sent to another machine in plain text', async () => {
    // No other machine, but none of the names of this one.
    const far = await extract([...login, 'http://0.0.0.0:9'], { stdin: secret });
    assert.match(far.err, /^Warning: 0\.0\.0\.0:9 is another machine .* Use https\.$/m);
    for (const host of ['192.0.2.1', 'extract.example.com', '127.0.0.1.example.com'])
      assert.equal(isInTheOpen(`http://${host}/v1`), true, host);
    for (const url of ['http://localhost:8787', 'http://[::1]', 'http://127.8.9.1', 'https://a.example.com'])
      assert.equal(isInTheOpen(`${url}/v1`), false, url);
  });

  test('makes commands use the server: same output, same errors, same exit statuses', async () => {
    const here = await extract(demo);
    const ran = assertExit(await extract(argv`${login} ${base} --json`, { stdin: `${secret}\n` }), 0);
    const expected = { base_url: `${base}/v1`, account: id, credits: 50_500, bought: true };
    assert.deepEqual(JSON.parse(ran.out).data, expected);
    assert.ok(!(ran.out + ran.err).includes(secret));

    const there = assertExit(await extract(demo), 0);
    const [a, b] = [here, there].map(({ out }) => JSON.parse(out));
    assert.deepEqual(b.data, a.data);
    assert.deepEqual(Object.keys(b.meta), Object.keys(a.meta));
    assert.equal(b.meta.credits_remaining, 50_500);
    assert.deepEqual(await dataOf(['credits']), { account: id, credits: 50_500, bought: true });
    assert.deepEqual(await dataOf(['usage']), []);
    for (const wrong of [argv`credits add 5`, argv`shortvideo profile --limit 5`]) await errorOf(wrong, 2);

    const other = await server.accounts.createKey({ account: id, name: 'maps', platforms: ['maps'] });
    const keys = await extract(argv`keys list --json`);
    const { data, meta } = JSON.parse(keys.out);
    const rows = data.map((key: { name: string; account: string }) => [key.name, key.account]);
    const kept = (await server.accounts.listKeys(id)).map(({ name }) => [name, id]);
    assert.deepEqual(rows, kept);
    assert.match(meta.request_id, /^req_/);
    assert.doesNotMatch(keys.out, /xt_live_/);
    assert.partialDeepStrictEqual(await dataOf(argv`accounts list`), [
      { id, credits: 50_500, verified: true },
    ]);

    for (const command of [
      argv`keys create --email ${email} --name x`,
      argv`keys revoke key_none`,
      argv`accounts create --email new@example.com`,
      argv`accounts verify --email ${email}`,
      argv`accounts credit --email ${email} --credits 5`,
    ]) {
      const { message } = await errorOf(command, 2);
      assert.match(message, /You are logged in to .* on its dashboard: http.*\/dashboard\. With --local /);
    }
    await errorOf(argv`keys list --email ${email}`, 2);
    const local = await dataOf(argv`accounts list --local`);
    assert.ok(local.some((one: { email: string }) => one.email === email));
    assert.equal((await dataOf(argv`keys list --local --email bob@example.com`)).length, 0);

    await extract([...login, base], { stdin: other.secret });
    assert.equal((await errorOf(argv`shortvideo profile mira.kettle`, 3)).code, 'platform_not_allowed');
  });

  test('does not show the key among the settings', async () => {
    const rows: { setting: string; value: unknown }[] = await dataOf(['config']);
    const value = (name: string) => rows.find(({ setting }) => setting === name)?.value;
    assert.deepEqual([value('EXTRACT_BASE_URL'), value('EXTRACT_API_KEY')], [`${base}/v1`, '***']);
  });

  test('ends with logout, and commands read here again', async () => {
    await dataOf(['logout']);
    assert.equal(existsSync(file), false);
    assert.equal((await dataOf(['credits'])).account, 'local');
    await dataOf(['logout']);
  });
});
