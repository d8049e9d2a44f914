// Every recipe of the guides, typed unmodified in an empty folder with the files that it names.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import type { Answers } from '../support/browser-site.js';
import { bucketName, openBucketServer } from '../support/bucket-server.js';
import { mailServer } from '../support/mail-server.js';
import { typeAll } from './recipes.js';
import { sampleSite } from './sample-site.js';
import { openService } from './service.js';
import { openTerminal, type Terminal } from './terminal.js';

/** The recorded account under the name that guides give as an example. */
async function exampleSite(): Promise<Answers> {
  const site = await sampleSite('shortvideo/profile');
  return (request) => {
    const answer = site({ ...request, url: request.url.replace('@nasa', '@mira.kettle') });
    return answer && { ...answer, body: (answer.body ?? '').replaceAll('mira.kettle', 'nasa') };
  };
}

/** Inputs of a job that are answered by samples. */
const sampled = (inputs: readonly object[]) =>
  inputs.map((input) => `${JSON.stringify({ ...input, demo: true })}\n`).join('');

const place = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
const accounts = [{ username: 'mira.kettle' }, { username: 'fern.atlas' }];

type Settings = Readonly<Record<string, string>>;

interface AtServer {
  /** Settings of the terminal, and of the server. */
  readonly settings?: Settings;
  readonly serverSettings?: Settings;
  readonly prepare?: (terminal: Terminal) => Promise<unknown>;
  /** The platforms' answers, instead of those for one account. */
  readonly site?: Answers;
  /** True for lines that another terminal types. */
  readonly isElsewhere?: (line: string) => boolean;
}

/** Types a guide's recipes as a server's customer, with real IDs instead of the guide's. */
async function typeForServer(
  guide: string,
  { settings, serverSettings, prepare, site, isElsewhere = () => false }: AtServer = {},
): Promise<void> {
  const answers = site ?? (await exampleSite());
  const { url, apiKey } = await openService(answers, { settings: serverSettings ?? {} });
  const customer = { EXTRACT_BASE_URL: url, EXTRACT_API_KEY: apiKey };
  // The README's reader makes accounts on the machine itself, and reads a live page.
  const isOwner = guide === '../README.md';
  const terminal = await openTerminal(isOwner ? answers : undefined, {
    ...(isOwner ? { EXTRACT_API_KEY: apiKey } : customer),
    ...settings,
  });
  // Of the names of the jobs guide, whose failed inputs are run again, one is none.
  const wrong = guide === 'jobs.md' ? [{ username: 'no such name' }] : [];
  terminal.write('names.txt', sampled([...accounts, ...wrong]));
  terminal.write('creators.txt', sampled(accounts));
  terminal.write('places.txt', sampled([{ place_id: place }]));
  await prepare?.(terminal);
  const ids: Record<string, string> = {};
  await typeAll(terminal, guide, {
    isElsewhere,
    adapt: (line) =>
      line
        .replace('http://localhost:8787', url)
        .replace(/\b(job|sched|link)_(?:[\dA-Z]+|…)/g, (_, kind) => ids[kind] ?? assert.fail(`no ${kind}`)),
    onTyped(line, out) {
      for (const [id, kind = ''] of out.matchAll(/\b(job|sched|link)_[\dA-Z]{26}\b/g)) ids[kind] = id;
      if (line.startsWith('curl '))
        assert.match(out, guide.startsWith('errors') ? /"error":/ : /"data":|^HTTP/);
    },
    statusOf: (line) => (guide === 'jobs.md' && line.includes('--wait') ? 7 : 0),
  });
}

/** A mail server that takes what is sent to it until the tests are done. */
const mailbox = () => mailServer({ after });

async function openBucket() {
  const bucket = await openBucketServer();
  after(() => bucket.close());
  return bucket;
}

/** Types a guide's recipes without a network, with samples. */
async function typeWithSamples(guide: string, prepare?: (terminal: Terminal) => Promise<void> | void) {
  const terminal = await openTerminal();
  terminal.write('names.txt', 'fern.atlas\nmoss.atlas\n');
  await prepare?.(terminal);
  await typeAll(terminal, guide);
  return terminal;
}

/** How the recipes of each guide are tried. */
const trials: Readonly<Record<string, () => Promise<unknown>>> = {
  '../README.md': () => typeForServer('../README.md'),
  async 'alerts.md'() {
    const mails = await mailbox();
    const settings = {
      EXTRACT_NEWS_HOOK: 'https://hooks.slack.com/services/T0/B0/xyz',
      EXTRACT_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      EXTRACT_MAIL_FROM: 'news@example.com',
    };
    await typeForServer('alerts.md', {
      settings,
      serverSettings: { EXTRACT_WEBHOOK_ALLOW: 'hooks.slack.com' },
    });
    assert.deepEqual(mails.envelopes, ['ada@example.com']);
  },
  'areas.md': () => typeWithSamples('areas.md'),
  'backup.md': () =>
    typeWithSamples('backup.md', async ({ type }) => {
      await type('extract server accounts create --email you@example.com --verified');
    }),
  'batch.md': () =>
    typeWithSamples('batch.md', async (terminal) => {
      terminal.write('words.txt', 'tea\ncoffee\n');
      terminal.write('posts.txt', 'DAx1b2c3d4e\n');
      terminal.write('places.txt', `${place}\nChIJN1t_tDeuEmsRUsoyG83frY4\n`);
      terminal.write('searches.ndjson', '{"query":"kiln","location":"Graz"}\n{"query":"lamp"}\n');
      const sheet = await writeXlsx({
        sheets: [
          { name: 'Videos', rows: [['video_number'], ['7570377465812138719'], ['7573247745443418173']] },
        ],
      });
      writeFileSync(path.join(terminal.folder, 'videos.xlsx'), sheet);
      await terminal.type('extract tiktok search tea --json > videos.json');
    }),
  async 'buckets.md'() {
    const bucket = await openBucket();
    const settings = { ...bucket.env, EXTRACT_S3_BUCKET: bucketName };
    await typeForServer('buckets.md', {
      ...{ settings, serverSettings: settings },
      prepare(terminal) {
        terminal.write('videos.txt', '7570377465812138719\n');
        return terminal.type('extract batch shortvideo/comments videos.txt -o comments.ndjson');
      },
    });
    for (const name of ['creators/week.ndjson', 'ranks.html', 'comments.parquet'])
      assert.ok(bucket.object(name) !== null, name);
  },
  async 'data-protection.md'() {
    const terminal = await openTerminal(await exampleSite());
    terminal.write('names.txt', 'nasa\n');
    const outputs = '--archive run.wacz --history history.sqlite --media media --save-pages pages';
    // The recorded page names pictures that no host serves.
    await terminal.type(`extract batch tiktok/profile names.txt -o results.ndjson ${outputs}`, 7);
    await typeAll(terminal, 'data-protection.md');
    assert.doesNotMatch(terminal.read('results-2.ndjson'), /nasa/i);
  },
  async 'evidence.md'() {
    const terminal = await openTerminal(await sampleSite('shortvideo/profile'));
    terminal.write('names.txt', 'mira.kettle\n');
    const comments = endpoints.find((one) => one.path === 'shortvideo/comments') ?? assert.fail();
    const params = (await casesOf(comments))[0]?.params;
    const isOfJobs = (line: string) => /extract jobs|comments/.test(line);
    await typeAll(terminal, 'evidence.md', { isElsewhere: isOfJobs });
    assert.equal(terminal.read('again.ndjson'), terminal.read('profiles.ndjson'));
    await typeForServer('evidence.md', {
      isElsewhere: (line) => !isOfJobs(line),
      site: await sampleSite('shortvideo/comments'),
      prepare: async ({ write }) => write('videos.txt', `${JSON.stringify(params)}\n`),
    });
  },
  'feeds.md': () => typeForServer('feeds.md'),
  'files.md': () =>
    typeWithSamples('files.md', async (terminal) => {
      terminal.write('posts.txt', 'DAx1b2c3d4e\n');
      terminal.write('searches.ndjson', '{"query":"kiln","location":"Graz"}\n{"query":"lamp"}\n');
      await terminal.type('extract batch tiktok/profile names.txt -o profiles.ndjson');
      await terminal.type('extract tiktok search tea --json > videos.json');
      await terminal.type('extract batch instagram/comments posts.txt -o comments.ndjson');
    }),
  async 'health.md'() {
    // These endpoints' own samples contain no list; theirs are on the pages of others.
    const lists = ['photosocial/comments', 'pronetwork/posts'] as const;
    const site = await sampleSite(...lists, ...endpoints.map((one) => one.path));
    const canaries = await Promise.all(
      endpoints.map(async (one) => ({
        ...{ endpoint: one.path, params: (await casesOf(one))[0]?.params, source: 'A recorded page.' },
      })),
    );
    const terminal = await openTerminal(site, { EXTRACT_CANARIES: 'canaries.json' });
    terminal.write('canaries.json', JSON.stringify(canaries));
    await typeAll(terminal, 'health.md');
  },
  async 'history.md'() {
    const terminal = await typeWithSamples('history.md', ({ write }) => write('accounts.txt', 'nasa\nesa\n'));
    const changes = 'SELECT count(DISTINCT subject) AS subjects FROM changes';
    assert.deepEqual(terminal.query('accounts.sqlite', changes), [{ subjects: 2 }]);
    assert.match(terminal.read('reviews.atom'), /<feed/);
  },
  'hosting.md': () => typeWithSamples('hosting.md'),
  'jobs.md': () => typeForServer('jobs.md'),
  'limits.md': () => typeForServer('limits.md'),
  'monitor.md': () =>
    typeWithSamples('monitor.md', ({ write }) => {
      write('words.txt', 'tea\ncoffee\n');
      write('places.txt', `${place}\nChIJN1t_tDeuEmsRUsoyG83frY4\n`);
    }),
  'settings.md': () => typeWithSamples('settings.md'),
  'spreadsheets.md': () => typeForServer('spreadsheets.md'),
  'tools.md': () => typeWithSamples('tools.md'),
};

describe('the recipes of the guides do what they say:', { concurrency: 2 }, () => {
  for (const [guide, trial] of Object.entries(trials)) {
    test(guide, async () => {
      await trial();
    });
  }
});
