import type { Queries } from '../../../../../lib/database/queries.js';
import type { StoredBody } from '../../../../files/archive/exchange-records.js';
import type { StoredRecord } from '../../../../files/archive/segment.js';
import { recordId } from '../../../../files/archive/warc-record.js';

/** A record of a job's archive. */
export interface RecordRow {
  readonly id: string;
  /** Digest of the body that it has; null for one without, or that refers to another record. */
  readonly digest: string | null;
  readonly url: string;
  readonly date: string;
  /** The record as a WARC file has it. */
  readonly member: Buffer;
}

/** Bytes of records that are read at once, and records. */
const [maxBytes, maxRecords] = [4 * 1024 * 1024, 200];

/** The row of a record that was read from a file. */
export function rowOf({ record: { fields }, member }: Pick<StoredRecord, 'record' | 'member'>): RecordRow {
  const field = (name: string) => fields.get(name) ?? '';
  const digest = field('warc-type') === 'response' ? field('warc-payload-digest') : null;
  const id = recordId(field('warc-record-id'));
  return { id, digest, url: field('warc-target-uri'), date: field('warc-date'), member };
}

/** Adds a record behind those of a job, whose row the transaction holds: they stay in the order in which they were added. */
export async function addRecord(queries: Queries, job: string, row: RecordRow): Promise<void> {
  await queries.run(
    {
      name: 'job_records_add',
      text: 'INSERT INTO job_records (job, record, digest, url, date, member) VALUES ($1, $2, $3, $4, $5, $6)',
    },
    [job, row.id, row.digest, row.url, row.date, row.member],
  );
}

/** The record of a job that has a body. */
export function findBody(queries: Queries, job: string, digest: string): Promise<StoredBody | undefined> {
  return queries.first<StoredBody>(
    {
      name: 'job_records_body',
      text: 'SELECT record AS id, url, date FROM job_records WHERE job = $1 AND digest = $2 ORDER BY number LIMIT 1',
    },
    [job, digest],
  );
}

type Read = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;

/** The records of a job in the order in which they were added. */
export async function* readRecords(read: Read, job: string): AsyncGenerator<Buffer, void, undefined> {
  for (let after = 0; ; ) {
    const rows = await read((queries) =>
      queries.rows<{ readonly number: number; readonly member: Buffer }>(
        {
          name: 'job_records_read',
          text: `SELECT number, member FROM job_records WHERE job = $1 AND number > $2 AND number <= (
                   SELECT max(number) FROM (
                     SELECT number, sum(octet_length(member)) OVER (ORDER BY number) - octet_length(member) AS before
                     FROM (SELECT number, member FROM job_records WHERE job = $1 AND number > $2 ORDER BY number LIMIT $4) AS next
                   ) AS sized WHERE before < $3
                 ) ORDER BY number`,
        },
        [job, after, maxBytes, maxRecords],
      ),
    );
    for (const { number, member } of rows) {
      after = number;
      yield member;
    }
    if (rows.length === 0) return;
  }
}
