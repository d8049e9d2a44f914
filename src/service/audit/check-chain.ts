import type { Queries } from '../../../lib/database/queries.js';
import type { AuditEntry } from './audit-log.js';
import { type AuditRow, auditColumns, chainStart, digestOfAct, toEntry } from './audit-row.js';

/** Acts that are read at once: bounds memory. */
const pageSize = 500;

/** Where a chain ends. */
export interface ChainHead {
  readonly acts: number;
  readonly digest: string;
}

const noActs: ChainHead = { acts: 0, digest: chainStart };

/** The end of the chain as it was noted with the last act. */
export async function chainHead(queries: Queries): Promise<ChainHead> {
  const head = await queries.first<ChainHead>(`SELECT acts, digest FROM audit_heads WHERE chain = 'acts'`);
  return head ?? noActs;
}

/** Acts in their order, behind one. */
export async function actsAfter(queries: Queries, number: number): Promise<readonly AuditEntry[]> {
  const rows = await queries.rows<AuditRow>(
    `SELECT ${auditColumns} FROM audit_acts WHERE number > $1 ORDER BY number LIMIT $2`,
    [number, pageSize],
  );
  return rows.map(toEntry);
}

/** Why an act cannot follow the chain so far, as a sentence; null where it does. */
export function brokenAt({ acts, digest }: ChainHead, entry: AuditEntry): string | null {
  const { number } = entry;
  if (number !== acts + 1) {
    const last = number - 1;
    if (last <= acts) return `Act ${number} stands where act ${acts + 1} must be.`;
    return last === acts + 1 ? `Act ${last} is missing.` : `Acts ${acts + 1} to ${last} are missing.`;
  }
  if (digestOfAct(digest, entry) === entry.digest) return null;
  const earlier = acts === 0 ? '' : `, or act ${acts} before it was replaced`;
  return `Act ${number} (${entry.act}, ${entry.at}) was changed${earlier}.`;
}

/** Holds every act against the one before it, and the last against the noted end. The first fault as a sentence; null for none. */
export async function checkChain(queries: Queries): Promise<string | null> {
  let at = noActs;
  for (;;) {
    const page = await actsAfter(queries, at.acts);
    for (const entry of page) {
      const fault = brokenAt(at, entry);
      if (fault !== null) return fault;
      at = { acts: entry.number, digest: entry.digest };
    }
    if (page.length > 0) continue;
    const head = await chainHead(queries);
    // A server may have appended between the two looks.
    if (head.acts > at.acts && (await actsAfter(queries, at.acts)).length > 0) continue;
    return endFault(at, head);
  }
}

/** Why the chain does not end where its end was noted. */
function endFault(at: ChainHead, head: ChainHead): string | null {
  if (head.acts > at.acts)
    return `The last acts are missing: ${head.acts} were written, ${at.acts} are there.`;
  if (head.acts < at.acts) return `Acts stand behind act ${head.acts}, which was the last.`;
  return head.digest === at.digest ? null : `Act ${at.acts}, the last, was replaced.`;
}
