import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { loadDriver } from '../../../../lib/database/sqlite/driver.js';
import { outputKinds } from '../../../../src/files/result-files/file-kind.js';
import { duckdb } from '../../../files/result-files/harness.js';
import { argv, assertExit, extract, testHome } from '../../../support/cli.js';

const names = ['invented_ana', 'invented_bo', 'invented_ana'];
const items = names.map((username, at) => ({
  ...{ id: String(at + 1), video_id: '7', parent_comment_id: null, username },
  ...{ text: `@${names[(at + 1) % names.length]} said so`, create_time: '2026-11-20T08:00:00Z' },
  ...{ like_count: at, reply_count: 0 },
}));

/** What a reader of the file sees of it. */
async function textOf(file: string): Promise<string> {
  switch (path.extname(file)) {
    case '.xlsx':
      return JSON.stringify((await readXlsx(readFileSync(file))).sheets.map(({ rows }) => rows));
    case '.parquet':
      return JSON.stringify(await duckdb(`SELECT * FROM read_parquet('${file}')`));
    case '.sqlite': {
      const Sqlite = await loadDriver();
      const db = new Sqlite(file);
      const tables = db
        .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .pluck()
        .all();
      const rows = tables.map((table) => db.prepare(`SELECT * FROM "${table}"`).all());
      db.close();
      return JSON.stringify(rows);
    }
    default:
      return readFileSync(file, 'utf8');
  }
}

test('a person has one name in files of every kind, and no file has the plain one', async () => {
  const file = (name: string) => path.join(testHome(), name);
  writeFileSync(file('plain.ndjson'), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const seen = new Map<string, readonly string[]>();
  for (const kind of outputKinds) {
    const to = file(`hidden.${kind}`);
    const source = argv`${file('plain.ndjson')} ${to} --endpoint shortvideo/comments`;
    assertExit(await extract(argv`convert ${source} --pseudonymise author,username`), 0);
    const text = await textOf(to);
    assert.doesNotMatch(`${text}${readFileSync(to, 'latin1')}`, /invented_/, kind);
    seen.set(kind, [...new Set(text.match(/person_[0-9a-f]{20}/g))].toSorted());
  }
  const [first = []] = seen.values();
  assert.equal(first.length, 2);
  assert.deepEqual([...seen.keys()], [...outputKinds]);
  for (const [kind, people] of seen) assert.deepEqual(people, first, kind);
});
