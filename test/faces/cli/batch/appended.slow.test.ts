import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { Interruption } from '../../../../src/faces/cli/exit-status-error.js';
import { argv, extract, testHome } from '../../../support/cli.js';
import { aHarbour, anAnswer, inventedRows, sourcesOf } from '../../../support/invented-rows.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const queries = ['oak', 'elm', 'fir'] as const;

/** A run of the batch: its mode, and after how many answers it is interrupted or killed. */
interface Run {
  readonly what: 'run';
  readonly isNew: boolean;
  readonly mode: '' | '--resume' | '--overwrite' | '--retry-failed';
  readonly end: 'whole' | 'interrupted' | 'killed';
  readonly after: number;
}
/** News at the top of a list, at a place that a later reading of another list shows, too. */
interface News {
  readonly what: 'news';
  readonly query: number;
  readonly also: number;
}

const steps = fc.array(
  fc.oneof(
    fc.record<Run>({
      what: fc.constant('run'),
      isNew: fc.boolean(),
      mode: fc.constantFrom('', '', '--resume', '--overwrite', '--retry-failed'),
      end: fc.constantFrom('whole', 'whole', 'interrupted', 'killed'),
      after: fc.integer({ min: 0, max: queries.length }),
    }),
    fc.record<News>({
      what: fc.constant('news'),
      query: fc.nat(queries.length - 1),
      also: fc.nat(queries.length - 1),
    }),
  ),
  { minLength: 4, maxLength: 12 },
);

/** The rows of a database, and its sightings: which item, for which input, where, when. */
function contentsOf(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = (sql: string) => db.prepare(sql).all() as Readonly<Record<string, unknown>>[];
    return new Set([
      ...rows('SELECT item FROM maps_harbours').map(({ item }) => `row ${item}`),
      ...rows('SELECT * FROM seen').map((one) => `seen ${JSON.stringify(one)}`),
      ...rows('SELECT item, input FROM seen').map(({ item, input }) => `${item} of ${input}`),
    ]);
  } finally {
    db.close();
  }
}

const run = (isNew: boolean, mode: Run['mode'], end: Run['end'], after: number): Run => {
  return { what: 'run', isNew, mode, end, after };
};
/** What an interrupted run had given was in lines that --overwrite threw away, and counted as given. */
const lostByOverwrite = [run(true, '', 'interrupted', 0), run(true, '--overwrite', 'whole', 0)];
/** A run that was interrupted while creating its database left an empty file. */
const emptyDatabase = [run(false, '', 'interrupted', 2), run(false, '', 'whole', 0)];

let round = 0;

test('whatever the order of runs, appends, kills and --new, no row and no sighting that was written is missing', async () => {
  const folder = temporaryFolder();
  const home = testHome();
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      round += 1;
      const own = path.join(folder, String(round));
      const keptFolder = path.join(folder, `${round} kept`);
      mkdirSync(own);
      const [input, output] = [path.join(own, 'in.txt'), path.join(own, 'out.sqlite')];
      writeFileSync(input, queries.join('\n'));
      let items = 0;
      let now = Date.UTC(2026, 10, 1);
      const lists = new Map<string, string[]>(queries.map((query) => [query, [`${query} first`]]));

      /** Everything on the disk as a process leaves it that is killed now. */
      const keep = () => {
        rmSync(keptFolder, { recursive: true, force: true });
        cpSync(own, path.join(keptFolder, 'own'), { recursive: true });
        cpSync(home, path.join(keptFolder, 'home'), { recursive: true });
      };
      const restore = () => {
        for (const [from, to] of [['own', own] as const, ['home', home] as const]) {
          rmSync(to, { recursive: true, force: true });
          cpSync(path.join(keptFolder, from), to, { recursive: true });
        }
      };

      const typed = async ({ isNew, mode, end, after }: Omit<Run, 'what'>): Promise<number> => {
        const stop = new AbortController();
        let answers = 0;
        const ending = () => {
          if (end === 'killed') keep();
          if (end !== 'whole') stop.abort(new Interruption('SIGINT'));
        };
        const args = argv`batch maps/harbours ${input} -o ${output} --append --concurrency 1`;
        const more = [...(isNew ? ['--new', `name${round}`] : []), ...(mode === '' ? [] : [mode])];
        const ran = await extract([...args, ...more], {
          endpoints: inventedRows,
          signal: stop.signal,
          extractor: {
            async answer(_, { query }) {
              if (answers === after) ending();
              answers += 1;
              now += 1000;
              const fetched_at = new Date(now).toISOString();
              const ids = lists.get(String(query)) ?? [];
              const sources = sourcesOf(ids, () => ({ fetched_at }));
              return anAnswer(
                ids.map((name) => aHarbour({ name })),
                { sources, meta: { fetched_at } },
              );
            },
          },
        });
        if (end === 'killed' && stop.signal.aborted) restore();
        return ran.status;
      };

      let before = contentsOf(output);
      const check = (what: string) => {
        const after = contentsOf(output);
        const missing = [...before].filter((one) => !after.has(one));
        assert.deepEqual(missing, [], what);
        before = after;
      };
      for (const step of all) {
        if (step.what === 'news') {
          items += 1;
          for (const at of new Set([step.query, step.also]))
            lists.get(queries[at] ?? '')?.unshift(`item ${items}`);
          continue;
        }
        await typed(step);
        check(JSON.stringify(step));
      }
      // Resumes whatever is unfinished; then one more run has everything.
      for (const isNew of [true, false]) await typed({ isNew, mode: '--resume', end: 'whole', after: 0 });
      check('taken up');
      const status = await typed({ isNew: true, mode: '', end: 'whole', after: 0 });
      assert.equal(status, 0);
      check('at the end');
      for (const [query, ids] of lists) {
        for (const id of ids) {
          assert.ok(before.has(`row ${id}`), `${id} is a row`);
          assert.ok(before.has(`${id} of {"query":"${query}"}`), `${id} was seen for ${query}`);
        }
      }
    }),
    { numRuns: 30, examples: [[lostByOverwrite], [emptyDatabase]] },
  );
});
