import { type AuditEntry, auditEntry } from './audit-log.js';
import { chainStart } from './audit-row.js';
import { brokenAt, type ChainHead } from './check-chain.js';

function entryOf(text: string): AuditEntry | null {
  try {
    return auditEntry.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The outcome of holding an export against its digests: where its chain ends, or its first fault as a sentence. */
export type ExportCheck = { readonly head: ChainHead } | { readonly fault: string };

/** Holds the lines of an export against their digests. */
export async function checkExport(
  lines: AsyncIterable<{ readonly number: number; readonly text: string }>,
): Promise<ExportCheck> {
  let head: ChainHead = { acts: 0, digest: chainStart };
  for await (const { number, text } of lines) {
    const entry = entryOf(text);
    if (entry === null) return { fault: `Line ${number} is no act.` };
    const fault = brokenAt(head, entry);
    if (fault !== null) return { fault };
    head = { acts: entry.number, digest: entry.digest };
  }
  return { head };
}
