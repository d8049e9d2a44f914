import { randomUUID } from 'node:crypto';
import type { Postgres } from '../../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../../lib/database/queries.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import type { PageArchive } from '../../../../../lib/web/page-archive.js';
import { exchangeRecords, fileRecord, readingRecord } from '../../../../files/archive/exchange-records.js';
import { gzipMember } from '../../../../files/archive/gzip-member.js';
import { sha256 } from '../../../../files/archive/warc-record.js';
import { software } from '../../../../files/archive/write-wacz.js';
import type { JobAtWork } from '../../job.js';
import { lockJob } from '../../job-rows.js';
import type { JobArchives } from '../job-archives.js';
import { addRecord, findBody, type RecordRow, readRecords } from './record-rows.js';

const newId = () => `urn:uuid:${randomUUID()}`;

/**
 * The archives of the jobs of a database: each record is a row, and any node adds to them. A record is added under the lock
 * of its job, so that they have one order, and a body is kept once whichever nodes met it. Platforms are asked so slowly that
 * nobody waits for the lock.
 */
export class RowArchives implements JobArchives {
  readonly #postgres: Postgres;
  readonly #clock: Clock;

  constructor(postgres: Postgres, clock: Clock) {
    this.#postgres = postgres;
    this.#clock = clock;
  }

  async open({ id: job }: JobAtWork): Promise<PageArchive> {
    return {
      addExchange: async (exchange) => {
        const digest = sha256(exchange.body);
        const ids = { request: newId(), answer: newId() };
        await this.#add(job, async (queries) => {
          const stored = exchange.body.byteLength === 0 ? undefined : await findBody(queries, job, digest);
          const records = exchangeRecords(exchange, ids, digest, stored);
          const { finalUrl: url = exchange.url } = exchange;
          const date = new Date(exchange.at).toISOString();
          return Promise.all(
            records.map(async (one) => ({ ...one, url, date, member: await gzipMember(one.bytes) })),
          );
        });
        return ids.answer;
      },
      addReading: async (reading) => {
        const record = readingRecord(newId(), reading);
        const row = { ...record, url: '', date: reading.fetched_at, member: await gzipMember(record.bytes) };
        await this.#add(job, async () => [row]);
        return record.id;
      },
    };
  }

  /** Each record is on the disk when it was added. */
  async settle(): Promise<void> {}

  async leave(): Promise<void> {}

  read(job: string): AsyncIterable<Buffer> {
    return readRecords((work) => this.#postgres.read(work), job);
  }

  async #add(job: string, make: (queries: Queries) => Promise<readonly RecordRow[]>): Promise<void> {
    await this.#postgres.transaction(async (queries) => {
      const row = await lockJob(queries, job);
      // The call that asked for it was given up.
      if (row === undefined || row.deleted === 1) throw new DOMException('The job is gone.', 'AbortError');
      const first = row.archive_bytes === 0 ? [await this.#head()] : [];
      const added = [...first, ...(await make(queries))];
      for (const one of added) await addRecord(queries, job, one);
      const bytes = added.reduce((sum, { member }) => sum + member.length, 0);
      await queries.run('UPDATE jobs SET archive_bytes = archive_bytes + $2 WHERE id = $1', [job, bytes]);
    });
  }

  /** The record that a file begins with. */
  async #head(): Promise<RecordRow> {
    const [id, date] = [newId(), new Date(this.#clock.now()).toISOString()];
    return { id, date, url: '', digest: null, member: await gzipMember(fileRecord(id, date, software)) };
  }
}
