import { existsSync } from 'node:fs';
import path from 'node:path';
import { inspectAudit } from '../../compose/store-files.js';
import { type Finding, failed, ok } from './finding.js';

const check = 'audit log';

/** The audit log as its chain of digests was found. */
export function auditFinding(fault: string | null): Finding {
  if (fault === null) return ok(check, 'every act follows the one before it');
  const next =
    'Somebody has changed the log: compare it with an export (“extract audit check FILE”), or a backup.';
  return failed(check, fault, next);
}

/** The log of what operators did, in the data directory. */
export async function checkAudit(home: string): Promise<readonly Finding[]> {
  const file = path.join(home, 'ledger.db');
  if (!existsSync(file)) return [];
  try {
    return [auditFinding(await inspectAudit(file))];
  } catch {
    // The check of the ledger tells of a file that cannot be read.
    return [];
  }
}
