import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { platforms } from '../../lib/platforms.js';
import { allSchemas } from '../../src/compose/database-tables.js';
import { readRetention, retentionByName } from '../../src/config/retention-config.js';
import { type ActName, actMeanings } from '../../src/service/audit/audit-log.js';
import { noteSettings } from '../../src/service/audit/note-settings.js';
import { argv, assertExit, dataOf, extract, testHome } from '../support/cli.js';
import { ndjsonValues } from '../support/ndjson.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { routesOf } from '../support/route-table.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { programFor } from '../support/whole-program.js';
import { jobsServer } from './dashboard/support/jobs-server.js';

/** Commands that change nothing which a server, or the account of this machine, keeps for others. */
const withoutActs =
  'archive batch cache completion config convert doctor endpoints errors history jobs login logout mcp media serve watch help';

/** Every other command, with the act that it writes; null for one that only shows. */
const acts: Readonly<Record<string, ActName | null>> = {
  'server accounts create': 'account.create',
  'server accounts list': null,
  'server accounts credit': 'credits.grant',
  'server accounts verify': 'account.verify',
  'server keys create': 'key.create',
  'server keys list': null,
  'server keys limit': 'key.limit',
  'server keys revoke': 'key.revoke',
  'server admin link': 'admin.link',
  'server audit list': null,
  'server audit export': 'audit.export',
  forget: 'subject.forget',
  'suppress add': 'subject.suppress',
  'suppress list': null,
  'suppress remove': 'subject.allow',
  'usage credits': null,
  'usage credits add': 'credits.add',
  usage: null,
  'usage archive': 'usage.archive',
  'server backup': 'data.backup',
  'server restore': 'data.restore',
  'server database check': null,
  'server deploy': null,
  'server database migrate': null,
  'server database import': 'data.import',
};

/** Everything on the admin pages that changes something. */
const routeActs: Readonly<Record<string, ActName | null>> = {
  'POST /admin/sign-in': 'admin.sign_in',
  'POST /admin/sign-out': null,
  'POST /admin/accounts/:id/credit': 'credits.grant',
  'POST /admin/suppressions': 'subject.suppress',
  'POST /admin/suppressions/remove': 'subject.allow',
};

/** The names of the commands that do something, below one. */
function namesOf(command: Command, above: readonly string[] = []): readonly string[] {
  const names = command.commands
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => namesOf(one, [...above, one.name()]));
  // This private field is the only sign that a command has an action.
  const acting = Reflect.get(command, '_actionHandler') !== null;
  return acting && above.length > 0 ? [above.join(' '), ...names] : names;
}

const onAccounts = [
  ...['account.create', 'credits.grant', 'account.verify', 'key.create', 'key.limit', 'key.revoke'],
  'admin.link',
];

async function actOnAccounts(): Promise<{ readonly secret: string; readonly url: string }> {
  await dataOf(argv`accounts create --email ann@example.com --credits 5`);
  await dataOf(argv`accounts credit --email ann@example.com --credits 7`);
  // The second time each changes nothing.
  for (const _ of ['first', 'second']) await dataOf(argv`accounts verify --email ann@example.com`);
  const { id, secret } = await dataOf(argv`keys create --email ann@example.com --name laptop`);
  for (const _ of ['first', 'second']) await dataOf(argv`keys limit ${id} 9`);
  for (const _ of ['first', 'second']) await dataOf(argv`keys revoke ${id}`);
  const { url } = await dataOf(['admin', 'link']);
  return { secret, url };
}

/** The acts in the log, the oldest first. */
async function loggedActs() {
  const list: { act: ActName }[] = await dataOf(['audit', 'list']);
  return { list, acts: list.map(({ act }) => act).toReversed() };
}

const onSubjects = ['subject.suppress', 'subject.allow', 'subject.forget'];

async function actOnSubjects(): Promise<void> {
  for (const act of [['suppress', 'add'], ['suppress', 'remove'], ['forget']])
    await dataOf([...act, 'tiktok:@mira.kettle']);
}

/** Asserts that the log contains no secret, name or address. */
function assertHides(list: unknown, secret: string, url: string): void {
  const text = JSON.stringify(list);
  const token = new URL(url).searchParams.get('token') ?? '';
  for (const hidden of [secret, token, 'ann@example.com', 'laptop', 'kettle'])
    assert.ok(!text.includes(hidden), `${hidden} stands in the log`);
}

// Made here, so that it lasts for the whole file.
const home = testHome();

describe('the acts of operators', () => {
  test('every command writes an act, or is listed as needing none', async () => {
    const knownCommands = new Set([...withoutActs.split(' '), ...platforms]);
    const names = namesOf(await programFor(null)).filter(
      (name) => !knownCommands.has(name.split(' ')[0] ?? ''),
    );
    assert.deepEqual(names.toSorted(), Object.keys(acts).toSorted());
  });

  test('every route of the admin pages that changes something writes an act', async (t) => {
    const all = await jobsServer(t, { start: false });
    const changing = (await routesOf(all.app)).filter(
      ({ method, path: route }) => method === 'POST' && route.startsWith('/admin'),
    );
    const routes = changing.map(({ method, path: route }) => `${method} ${route}`);
    assert.deepEqual(routes.toSorted(), Object.keys(routeActs).toSorted());
    const { account } = await all.signedIn(0);
    const operator = await all.operator();
    const page = await operator.get(`/admin/accounts/${account.id}`);
    await operator.submit(page, 'form[action$=credit]', { credits: '7' });
    const subjects = await operator.get('/admin/suppressions');
    await operator.submit(subjects, 'form[action="/admin/suppressions"]', { subject: 'tiktok:@mira.kettle' });
    const listed = await operator.get('/admin/suppressions');
    await operator.submit(listed, 'form[action="/admin/suppressions/remove"]');
    const [allowed, suppressed, grant, signIn, link] = await all.opened.audit.list({ limit: 5 });
    assert.deepEqual(
      [link, signIn, grant, suppressed, allowed].map((one) => one?.act),
      ['admin.link', 'admin.sign_in', 'credits.grant', 'subject.suppress', 'subject.allow'],
    );
    assert.deepEqual([grant?.subject, grant?.details.credits, grant?.via], [account.id, 7, 'server']);
    assert.equal(suppressed?.via, 'server');
  });

  test('each command that should write an act does, without a secret', async () => {
    const folder = temporaryFolder();
    const { secret, url } = await actOnAccounts();
    await dataOf(argv`credits add 30`);
    await actOnSubjects();
    const backup = path.join(folder, 'all.tar.gz');
    await dataOf(['backup', backup]);
    await rename(home, path.join(folder, 'before'));
    await dataOf(['restore', backup]);
    const { list, acts } = await loggedActs();
    // The backup was made before its own entry was written.
    assert.deepEqual(acts.slice(-12), [...onAccounts, 'credits.add', ...onSubjects, 'data.restore']);
    assertHides(list, secret, url);
    assert.ok(existsSync(backup));
  });

  test('the same in a database', {
    skip: skipWithoutPostgres,
  }, async (t) => {
    const { config, drop } = await makeTestDatabase(allSchemas());
    t.after(drop);
    process.env.EXTRACT_DATABASE_URL = config.url;
    t.after(() => {
      delete process.env.EXTRACT_DATABASE_URL;
    });
    const { secret, url } = await actOnAccounts();
    await actOnSubjects();
    const { list, acts } = await loggedActs();
    assert.deepEqual(acts, [...onAccounts, ...onSubjects]);
    assertHides(list, secret, url);
  });

  test('a server records changed retention settings', async (t) => {
    const { opened } = await jobsServer(t, { start: false });
    const settings = (days: string) => retentionByName(readRetention({ EXTRACT_RESULT_DAYS: days }));
    for (const days of ['7', '7', '3']) await noteSettings(opened.audit, settings(days));
    const noted = await opened.audit.list({ act: 'settings.change', limit: 9 });
    const days = noted.map(({ details }) => details.EXTRACT_RESULT_DAYS);
    assert.deepEqual(days, [3, 7]);
  });

  test('an export includes itself', async () => {
    await dataOf(argv`credits add 5`);
    const { out } = assertExit(await extract(['audit', 'export']), 0);
    const acts = ndjsonValues(out).map(({ act }) => act);
    assert.deepEqual(acts.slice(-2), ['credits.add', 'audit.export']);
  });

  test('each act has a meaning, and a command or route that writes it', () => {
    const used = new Set([...Object.values(acts), ...Object.values(routeActs), 'settings.change']);
    const unused = Object.keys(actMeanings).filter((act) => !used.has(act));
    assert.deepEqual(unused, []);
  });
});
