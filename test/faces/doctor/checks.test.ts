import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { cursorSecret } from '../../../lib/runtime/secret.js';
import type { HostProbe } from '../../../lib/web/probe-host.js';
import { openStore, storeSchemas } from '../../../src/compose/open-store.js';
import { checkClock } from '../../../src/faces/doctor/check-clock.js';
import { checkLedger, checkSideFiles } from '../../../src/faces/doctor/check-files.js';
import { checkHome, checkSpace } from '../../../src/faces/doctor/check-home.js';
import { checkLogin } from '../../../src/faces/doctor/check-login.js';
import { checkNetwork, mainHost } from '../../../src/faces/doctor/check-network.js';
import { checkBrowser, checkNode } from '../../../src/faces/doctor/check-program.js';
import { checkSettings } from '../../../src/faces/doctor/check-settings.js';
import type { Finding } from '../../../src/faces/doctor/finding.js';
import { isAtLeast } from '../../../src/faces/doctor/latest-version.js';
import { loopback } from '../../support/loopback.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;
const newHome = () => path.join(root, `home-${++homes}`);

/** A data directory in which somebody has called. */
async function usedHome(): Promise<string> {
  const home = newHome();
  const { ledger, accounts } = await openStore(home, systemClock, 0);
  await accounts.create({ email: 'ann@example.com', verified: true, credits: 1000 });
  await ledger.close();
  await cursorSecret(home);
  return home;
}

function change(file: string, work: (db: Sqlite.Database) => unknown): void {
  const db = new Sqlite(file);
  work(db);
  db.close();
}

const statusOf = (findings: readonly Finding[], check: string) =>
  findings.filter((one) => one.check === check).map(({ status }) => status);

function assertFinding(
  findings: readonly Finding[],
  check: string,
  status: Finding['status'],
  text: RegExp,
): void {
  const finding = findings.find((one) => one.check === check && one.status === status);
  assert.ok(finding, `${check} is not ${status}: ${JSON.stringify(findings)}`);
  assert.match(`${finding.message} ${finding.next}`, text);
  if (status !== 'ok') assert.ok((finding.next ?? '').length > 5, 'says nothing to do');
}

describe('the program', () => {
  test('Node.js is compared with the minimum version', () => {
    assert.equal(checkNode('v24.1.0').status, 'ok');
    assert.equal(checkNode('v22.18.9').status, 'failed');
    assert.ok(
      isAtLeast('v22.19.0', '22.19.0') && isAtLeast('22.19.10', '22.19.9') && !isAtLeast('9.9', '10'),
    );
  });
});

describe('the data directory', () => {
  test('without problems has one line per check', async () => {
    const home = await usedHome();
    const findings = [
      ...(await checkHome(home)),
      ...(await checkLedger(home)).findings,
      ...(await checkSideFiles(home)),
    ];
    const checks = 'data directory,disk,cursor key,ledger,books,results,cache,pace,state'.split(',');
    assert.deepEqual(
      findings.map(({ check, status }) => `${check} ${status}`),
      checks.map((check) => `${check} ok`),
    );
  });

  test('that is missing, a file, impossible to create or open to others', async () => {
    const home = newHome();
    assert.deepEqual(statusOf(await checkHome(home), 'data directory'), ['ok']);
    const file = newHome();
    writeFileSync(file, '');
    assertFinding(await checkHome(file), 'data directory', 'failed', /is not a directory/);
    assertFinding(await checkHome(path.join(file, 'below')), 'data directory', 'failed', /ENOTDIR|cannot be/);
    // A file system that stores nothing, even for root.
    if (process.platform === 'linux')
      assertFinding(await checkHome('/proc/nothing/here'), 'disk', 'failed', /0 MiB free/);
    // As systems name their folders, with a space.
    const open = path.join(newHome(), 'Application Support');
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o755);
    assertFinding(await checkHome(open), 'data directory', 'warning', /chmod 700 '\/.*Application Support'/);
  });

  test('on a disk that is full, or nearly', async () => {
    const space = (mebibytes: number) =>
      checkSpace(root, async () => ({ bavail: mebibytes, bsize: 1024 * 1024 }));
    assert.equal((await space(5000)).status, 'ok');
    assertFinding([await space(100)], 'disk', 'warning', /Only 100 MiB free/);
    assertFinding([await space(3)], 'disk', 'failed', /cannot be recorded/);
  });

  test('with a cursor key that is damaged or open to others', async () => {
    const home = await usedHome();
    const file = path.join(home, 'cursor.key');
    chmodSync(file, 0o644);
    assertFinding(await checkHome(home), 'cursor key', 'warning', /chmod 600/);
    writeFileSync(file, 'nonsense');
    assertFinding(await checkHome(home), 'cursor key', 'failed', /contains no key.*a new one is created/);
  });

  test('with a ledger that is damaged, no ledger, of a later version or out of balance', async () => {
    const sql = (statement: string) => (file: string) => change(file, (db) => db.exec(statement));
    const gift = sql("UPDATE balances SET balance = balance + 5 WHERE id = 'local'");
    for (const [damage, check, text] of [
      [(file: string) => truncateSync(file, statSync(file).size - 4096 * 3), 'ledger', /./],
      [(file: string) => writeFileSync(file, 'nonsense '.repeat(1000)), 'ledger', /is not a ledger/],
      [sql('PRAGMA user_version = 99'), 'ledger', /later version/],
      [gift, 'books', /50005 instead of 50000/],
    ] as const) {
      const home = await usedHome();
      damage(path.join(home, 'ledger.db'));
      assertFinding((await checkLedger(home)).findings, check, 'failed', text);
    }
  });

  test('with a ledger that is locked', async () => {
    const home = await usedHome();
    const holder = new Sqlite(path.join(home, 'ledger.db'));
    holder.exec('BEGIN IMMEDIATE');
    assertFinding((await checkLedger(home)).findings, 'lock', 'warning', /Another process is writing/);
    holder.exec('ROLLBACK');
    holder.close();
  });

  test('with parts of the ledger that are of an earlier version, of a later one, or not there yet', async () => {
    const home = await usedHome();
    const file = path.join(home, 'ledger.db');
    const assertLedger = async (status: Finding['status'], text: RegExp) =>
      assertFinding((await checkLedger(home)).findings, 'ledger', status, text);
    await assertLedger('ok', /undamaged null/);
    const update = 'UPDATE schema_versions SET version = version';
    for (const { name } of storeSchemas) {
      for (const [statement, status, text] of [
        [`${update} - 1`, 'ok', /brings its tables up to/],
        ['DELETE FROM schema_versions', 'ok', /brings its tables up to/],
        [`${update} + 1`, 'failed', new RegExp(`later version has written the ${name}\\.`)],
      ] as const) {
        const db = new Sqlite(file);
        const before = db.prepare('SELECT version FROM schema_versions WHERE name = ?').pluck().get(name);
        db.prepare(`${statement} WHERE name = ?`).run(name);
        await assertLedger(status, text);
        db.prepare('INSERT OR REPLACE INTO schema_versions (name, version) VALUES (?, ?)').run(name, before);
        db.close();
      }
    }
    // Other tables are checked even if the ledger's have an earlier version.
    const later = "UPDATE schema_versions SET version = 99 WHERE name = 'jobs'; PRAGMA user_version = 3";
    change(file, (db) => db.exec(later));
    await assertLedger('failed', /later version has written the jobs/);
  });

  test('is not changed by a look', async () => {
    const home = newHome();
    mkdirSync(home, { mode: 0o700 });
    await checkHome(home);
    await checkLedger(home);
    await checkSideFiles(home);
    assert.deepEqual(readdirSync(home), []);
  });

  test('with a cache that is damaged', async () => {
    const home = await usedHome();
    for (const [name, check, remedy] of [
      ['answers.db', 'cache', /Delete .*answers\.db: the next call creates a new one/],
      ['pace.db', 'pace', /Delete .*pace\.db: the next call creates a new one/],
      ['state.db', 'state', /Move .*state\.db away: runs with --new/],
    ] as const) {
      const file = path.join(home, name);
      for (const damage of [
        () => writeFileSync(file, 'a letter to nobody'.repeat(300)),
        () => mkdirSync(file),
      ]) {
        rmSync(file, { force: true });
        damage();
        assertFinding(await checkSideFiles(home), check, 'warning', remedy);
      }
    }
  });
});

describe('the settings', () => {
  const check = (env: Record<string, string>) => checkSettings(endpoints, env.EXTRACT_CANARIES, env);

  test('that are valid have one line', async () => {
    assert.deepEqual(await check({ EXTRACT_PACE_MS: '2000', PATH: '/bin', EXTRACT_PACE_MS_MAPS: '900' }), [
      { check: 'settings', status: 'ok', message: 'all recognized, no conflicts', next: null },
    ]);
  });

  test('that are unknown, invalid or contradictory are named', async () => {
    const open = { EXTRACT_HOST: '0.0.0.0', EXTRACT_METRICS_OPEN: 'true' };
    for (const [env, status, text] of [
      [{ EXTRACT_PASE_MS: '1' }, 'warning', /_PASE_MS is not a setting\. Did you mean EXTRACT_PACE_MS\?/],
      [{ EXTRACT_SOMETHING_ELSE_ALTOGETHER: '1' }, 'warning', /“extract config” lists/],
      [{ EXTRACT_TIMEOUT_MS: 'long' }, 'failed', /EXTRACT_TIMEOUT_MS must be a whole number/],
      [{ EXTRACT_SMTP_URL: 'smtp://a:secret@mail.example.com' }, 'failed', /EXTRACT_MAIL_FROM/],
      [{ EXTRACT_CANARY_MINUTES: '1' }, 'failed', /from 5 up/],
      [{ EXTRACT_CACHE: 'false', EXTRACT_CACHE_MEMORY_MB: '9' }, 'warning', /no effect/],
      [{ NO_PROXY: 'localhost' }, 'warning', /NO_PROXY has no effect/],
      [{ HTTP_PROXY: 'http://p:1' }, 'warning', /not used for the platforms/],
      [{ EXTRACT_PACE_MS: '0' }, 'warning', /No pace is set for maps/],
      [{ EXTRACT_TIMEOUT_MS: '900' }, 'warning', /time out before its pace/],
      [{ NODE_EXTRA_CA_CERTS: '/no/file' }, 'failed', /no such file/],
      [{ EXTRACT_CANARIES: '/no/file' }, 'failed', /EXTRACT_CANARIES: no such file/],
      [{ EXTRACT_HOST: '0.0.0.0' }, 'warning', /EXTRACT_DOCS_URL is not set/],
      [open, 'warning', /\/metrics is open/],
      [{ EXTRACT_OPERATOR_EMAIL: 'op@example.com' }, 'warning', /gets no e-mail/],
    ] as const) {
      const findings = await check(env);
      const ofStatus = findings.filter((one) => one.status === status);
      assert.match(ofStatus.map(({ message, next }) => `${message} ${next}`).join('\n'), text);
      assert.doesNotMatch(JSON.stringify(findings), /secret/);
    }
  });

  test('a file of canaries is read over', async () => {
    const file = path.join(root, 'canaries.json');
    writeFileSync(file, '[{}]');
    const findings = await check({ EXTRACT_CANARIES: file, EXTRACT_CANARY_MINUTES: '60' });
    assertFinding(findings, 'settings', 'failed', /invalid at 0\./);
  });
});

describe('the clock', () => {
  const fine = { newest: null, isCertificateOutOfTime: false };
  const now = Date.UTC(2026, 10, 22);

  test('is compared with the release, the ledger and certificates', () => {
    const hour = 3_600_000;
    for (const [time, seen, status, text] of [
      [now, {}, 'ok', /./],
      [now, { newest: now + 1000 }, 'ok', /./],
      [0, {}, 'failed', /before this version was built/],
      [now, { newest: now + hour }, 'warning', /was set back/],
      [now, { isCertificateOutOfTime: true }, 'failed', /certificates/],
    ] as const)
      assertFinding([checkClock(time, { ...fine, ...seen })], 'clock', status, text);
  });
});

describe('proxy and hosts', () => {
  const good: HostProbe = { ok: true, milliseconds: 12, proxied: false };
  const none = { httpsProxy: undefined, httpProxy: undefined, noProxy: undefined };

  test('every platform’s main host is resolved concurrently', async () => {
    let [running, most] = [0, 0];
    const hosts: string[] = [];
    const { findings, isThere } = await checkNetwork(endpoints, none, async (host) => {
      hosts.push(host);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return good;
    });
    assert.equal(most, 4);
    assert.ok(isThere);
    assert.equal(new Set(hosts).size, 4);
    for (const host of hosts) assert.match(host, /^www\./);
    assert.deepEqual(new Set(findings.map(({ status }) => status)), new Set(['ok']));
    assert.equal(mainHost({ hosts: ['.example.com'] } as never), 'www.example.com');
  });

  test('each step that fails has its own advice', async () => {
    for (const [step, code, text] of [
      ['name', 'ENOTFOUND', /Check your connection or DNS/],
      ['connection', 'ECONNREFUSED', /firewall/],
      ['proxy', '407', /name and password/],
      ['proxy', 'ECONNREFUSED', /proxy must be reachable/],
      ['tls', 'SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
      ['tls', 'CERT_HAS_EXPIRED', /Set the clock/],
    ] as const) {
      const probe: HostProbe = { ok: false, step, code, proxied: step === 'proxy' };
      const { findings, ...found } = await checkNetwork(endpoints, none, async () => probe);
      assertFinding(findings, 'maps', 'failed', text);
      assert.equal(found.isThere, false);
      assert.equal(found.isCertificateOutOfTime, code === 'CERT_HAS_EXPIRED');
    }
  });

  test('an invalid proxy is reported without its password', async () => {
    const broken = { ...none, httpsProxy: 'ftp://ann:secret@proxy' };
    const { findings } = await checkNetwork(endpoints, broken, () => assert.fail());
    assertFinding(findings, 'proxy', 'failed', /HTTPS_PROXY is not/);
    const proxied = { ...none, httpsProxy: 'http://ann:secret@proxy:3128' };
    const right = await checkNetwork(endpoints, proxied, async () => good);
    assert.deepEqual(right.findings[0], { check: 'proxy', status: 'ok', message: 'proxy:3128', next: null });
  });
});

describe('the login', () => {
  const config = (home: string, over: object = {}) => ({
    ...{ home, baseUrl: undefined, apiKey: undefined, userAgent: 'test/1' },
    ...{ httpsProxy: undefined, httpProxy: undefined, noProxy: undefined },
    ...over,
  });

  test('is asked for a balance: available, refused, unreachable, damaged, without a key', async (t) => {
    assert.match((await checkLogin(config(newHome()))).message, /^none/);
    const server = await loopback(t, (request, response) => {
      const isKnown = request.headers.authorization === 'Bearer ek_good';
      const about = { type: 'authentication', code: 'invalid_api_key', docs: '', request_id: '' };
      const error = { ...about, message: 'No.' };
      const body = isKnown ? { data: { credits_remaining: 1234 }, meta: {} } : { error };
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    const at = (apiKey: string | undefined) =>
      checkLogin(config(newHome(), { baseUrl: server.origin, apiKey }));
    assert.match((await at('ek_good')).message, /accepts the key; 1,234 credits/);
    assertFinding([await at('ek_bad')], 'login', 'failed', /extract login/);
    assertFinding([await at(undefined)], 'login', 'warning', /without a key/);
    const unreachable = config(newHome(), { baseUrl: 'http://127.0.0.1:9', apiKey: 'ek_x' });
    assertFinding([await checkLogin(unreachable)], 'login', 'failed', /EXTRACT_BASE_URL/);
    const damaged = newHome();
    mkdirSync(damaged);
    writeFileSync(path.join(damaged, 'login.json'), '{"api_key":"ek_secret"');
    const finding = await checkLogin(config(damaged));
    assertFinding([finding], 'login', 'failed', /damaged/);
    assert.ok(!JSON.stringify(finding).includes('ek_secret'));
  });
});

describe('the browser', () => {
  const here = { browserPath: process.execPath, browserPaths: [] };
  const missing = { browserPath: undefined, browserPaths: [] };

  const starts = async () => {};

  test('is named if found, with a warning if its sandbox cannot run', async () => {
    const { status, message } = await checkBrowser({ ...here, browser: 'auto' }, starts);
    assert.equal(status, process.getuid?.() === 0 ? 'warning' : 'ok');
    assert.ok(message.includes(process.execPath));
  });

  test('that does not start is reported with the reason', async () => {
    const folder = temporaryFolder();
    const unlinked = 'echo "error while loading shared libraries: libnss3.so: cannot open" >&2; exit 127';
    for (const [script, reason] of [
      [unlinked, /libnss3\.so is missing/],
      ['exit 7', /ended immediately with status 7/],
      ['kill -9 $$', /ended immediately by SIGKILL/],
    ] as const) {
      const browserPath = path.join(folder, 'browser');
      writeFileSync(browserPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      for (const [browser, status] of [
        ['auto', 'warning'],
        ['always', 'failed'],
      ] as const) {
        const finding = await checkBrowser({ browserPath, browserPaths: [], browser });
        assert.match(finding.message, reason);
        assert.equal(finding.status, status);
      }
    }
  });

  test('is missed only by who wants it always', async () => {
    assert.equal((await checkBrowser({ ...missing, browser: 'auto' })).status, 'ok');
    assert.equal((await checkBrowser({ ...missing, browser: 'always' })).status, 'failed');
    const { message } = await checkBrowser({ ...missing, browser: 'never' });
    assert.equal(message, 'Not used, because EXTRACT_BROWSER is never.');
  });
});
