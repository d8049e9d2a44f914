import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { HeldScope, holdRun } from '../memory-rows.js';

interface EarlierSubject {
  readonly id: number;
  readonly name: string;
  readonly endpoint: string;
  readonly question: string;
  readonly object: string | null;
  readonly created_at: number;
  readonly last_at: number;
}

const hasTable = async (queries: Queries, name: string) =>
  (await queries.first(`SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = $1`, [name])) !==
  undefined;

async function moveSubject(
  queries: Queries,
  { id, name, endpoint, question, object, created_at: from, last_at: at }: EarlierSubject,
  itemId: string,
  objectOf: (endpoint: string) => string,
): Promise<void> {
  const heldScope = await HeldScope.hold(queries, name);
  const { scope } = heldScope;
  await holdRun(queries, heldScope, 'seen', from);
  await holdRun(queries, heldScope, 'seen', at);
  const subject = heldScope.next();
  const kind = objectOf(endpoint);
  await queries.run(
    `INSERT INTO history_subjects (scope, number, endpoint, question, label, first_at, last_at, readings)
     VALUES ($1, $2, $3, $4, '', $5, $6, 1)`,
    [scope, subject, endpoint, question, from, at],
  );
  const items = await queries.rows<{ readonly item: string; readonly id: string; readonly missing: number }>(
    `SELECT item, ${itemId} AS id, ${itemId === "''" ? '0' : 'missing'} AS missing
     FROM news_items WHERE subject = $1 ORDER BY met DESC`,
    [id],
  );
  const rows = [
    ...items.map((row) => ({ ...row, fields: 'null' })),
    ...(object === null ? [] : [{ item: question, id: '', missing: 0, fields: object }]),
  ].map((row, index) => ({ ...row, number: heldScope.next(), position: index + 1 }));
  const records = queries.dialect.records('$3', {
    ...{
      number: 'integer',
      item: 'text',
      id: 'text',
      fields: 'text',
      position: 'integer',
      missing: 'integer',
    },
  });
  await queries.run(
    `INSERT INTO history_objects (scope, number, object, key, id, fields, first_at, last_at)
     SELECT $1, number, $2, item, id, fields, $4, $4 FROM ${records} WHERE true ON CONFLICT DO NOTHING`,
    [scope, kind, JSON.stringify(rows), at],
  );
  await queries.run(
    `INSERT INTO history_appearances (scope, subject, object, position, first_at, last_at, missing)
     SELECT $1, $5, o.number, records.position, $4, $4, records.missing
     FROM ${records} CROSS JOIN history_objects o WHERE o.scope = $1 AND o.object = $2 AND o.key = records.item`,
    [scope, kind, JSON.stringify(rows), at, subject],
  );
  await heldScope.keep(queries);
  await queries.run('DELETE FROM news_items WHERE subject = $1', [id]);
  await queries.run('DELETE FROM news_subjects WHERE id = $1', [id]);
}

/**
 * Migrates what builds before 2026-12 remembered of the names of `--new`, one list or object per transaction, so that a
 * killed process leaves the rest to the next one. The tables are dropped once they are empty.
 */
export async function takeOverNames(
  database: Database,
  objectOf: (endpoint: string) => string,
): Promise<void> {
  if (!(await database.read((queries) => hasTable(queries, 'news_subjects')))) return;
  for (let isDone = false; !isDone; ) {
    isDone = await database.transaction(async (queries) => {
      if (!(await hasTable(queries, 'news_subjects'))) return true;
      const next = await queries.first<EarlierSubject>(
        `SELECT s.id, n.name, s.endpoint, s.question, s.object, n.created_at, n.last_at
         FROM news_subjects s JOIN news_names n ON n.id = s.name ORDER BY s.id LIMIT 1`,
      );
      if (next === undefined) {
        for (const table of ['news_items', 'news_subjects', 'news_names'])
          await queries.run(`DROP TABLE ${table}`);
        await queries.run(`DELETE FROM schema_versions WHERE name = 'news'`);
        return true;
      }
      // The first form of the table had no IDs.
      const column = await queries.first(
        `SELECT 1 AS found FROM pragma_table_info('news_items') WHERE name = 'id'`,
      );
      await moveSubject(queries, next, column === undefined ? "''" : `coalesce(id, '')`, objectOf);
      return false;
    });
  }
}
