import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { stringify } from 'csv-stringify/sync';
import { writeXlsxStream } from 'hucre/xlsx';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import { reportCost } from '../batch/run.js';
import { columns, type Row, wantedFile } from './rows.js';

/** The least that can be done by hand with each library: the lines parsed, the columns known beforehand. */
const { kind, input, output } = wantedFile();

interface Line {
  readonly input: { readonly username: string };
  readonly data: Row;
}

async function* lines(): AsyncGenerator<Line, void, undefined> {
  for await (const line of createInterface({ input: createReadStream(input) }))
    yield JSON.parse(line) as Line;
}

const whole = new Set(['follower_count', 'following_count', 'likes_count', 'video_count']);
const texts = columns.filter((name) => name !== 'is_verified' && !whole.has(name));

const writers = {
  async csv() {
    const out = createWriteStream(output);
    for await (const { input: params, data } of lines()) {
      const text = stringify([[params.username, ...columns.map((name) => data[name])]]);
      if (!out.write(text)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
  },
  async xlsx() {
    async function* rows() {
      for await (const { input: params, data } of lines()) {
        yield [params.username, ...columns.map((name) => data[name])];
      }
    }
    const titles = ['input.username', ...columns].map((header) => ({ header }));
    const bytes = writeXlsxStream(rows(), { name: 'Results', columns: titles, freezePane: { rows: 1 } });
    await pipeline(
      Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(output),
    );
  },
  async sqlite() {
    const db = new Sqlite(output);
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    const names = columns.map((name) =>
      name === 'is_verified' || whole.has(name) ? `${name} INTEGER` : `${name} TEXT`,
    );
    db.exec(`CREATE TABLE rows (input TEXT, ${names.join(', ')}, PRIMARY KEY (username))`);
    const insert = db.prepare(`INSERT INTO rows VALUES (${['input', ...columns].map(() => '?').join(', ')})`);
    db.exec('BEGIN');
    for await (const { input: params, data } of lines()) {
      insert.run(
        JSON.stringify(params),
        ...columns.map((name) => (name === 'is_verified' ? Number(data[name]) : data[name])),
      );
    }
    db.exec('COMMIT');
    db.close();
  },
  async parquet() {
    async function* rows() {
      for await (const { input: params, data } of lines()) {
        const row: Record<string, unknown> = { ...data, input: params.username };
        for (const name of whole) row[name] = BigInt(data[name as keyof Row] as number);
        yield row;
      }
    }
    await parquetWriteRows({
      writer: fileWriter(output),
      rows: rows(),
      columns: [
        { name: 'input', type: 'STRING' },
        ...texts.map((name) => ({ name, type: 'STRING' }) as const),
        ...[...whole].map((name) => ({ name, type: 'INT64' }) as const),
        { name: 'is_verified', type: 'BOOLEAN' },
      ],
      rowGroupSize: 20_000,
    });
  },
};

const report = reportCost();
await writers[kind]();
report(0);
