import { createHash } from 'node:crypto';
import type { ActName, AuditEntry, Operator } from './audit-log.js';

/** An act as its row holds it. */
export interface AuditRow extends Operator {
  readonly number: number;
  readonly at: number;
  readonly act: ActName;
  readonly subject: string | null;
  /** An object as JSON. */
  readonly details: string;
  readonly digest: string;
}

export const auditColumns = 'number, at, via, login, act, subject, details, digest';

/** The digest before the first act. */
export const chainStart = '0'.repeat(64);

export function toEntry({ at, details, ...row }: AuditRow): AuditEntry {
  const { number, via, login, act, subject, digest } = row;
  return {
    ...{ number, at: new Date(at).toISOString(), via, login, act, subject },
    ...{ details: JSON.parse(details), digest },
  };
}

/** The digest of an act that follows the one with the digest `before`. */
export function digestOfAct(before: string, entry: Omit<AuditEntry, 'digest'>): string {
  const { number, at, via, login, act, subject, details } = entry;
  const text = JSON.stringify([before, number, at, via, login, act, subject, details]);
  return createHash('sha256').update(text).digest('hex');
}
