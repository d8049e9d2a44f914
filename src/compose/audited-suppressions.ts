import type { Database } from '../../lib/database/database.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { type Subject, subjectText } from '../../lib/suppressions/subject.js';
import { SuppressionStore } from '../../lib/suppressions/suppression-store.js';
import type { KeyedDigest } from '../service/accounts/digests.js';
import type { Act } from '../service/audit/audit-log.js';
import type { AuditStore } from '../service/audit/audit-store.js';
import type { Forgotten } from './forgotten.js';

/** Returns a subject in the form of the audit log, which does not reveal who was suppressed or forgotten. */
const auditedSubject = (digest: KeyedDigest, subject: Subject) =>
  digest('audited subject', subjectText(subject)).toString('hex').slice(0, 32);

/** The suppressed subjects; each change is recorded in the audit log. */
export function auditedSuppressions(
  database: Database,
  clock: Clock,
  audit: AuditStore,
  digest: KeyedDigest,
): SuppressionStore {
  return new SuppressionStore(database, clock, (queries, change, subject) =>
    audit.append(queries, {
      act: change === 'add' ? 'subject.suppress' : 'subject.allow',
      subject: auditedSubject(digest, subject),
      details: { platform: subject.platform },
    }),
  );
}

export const forgetAct = (digest: KeyedDigest, subject: Subject, forgotten: readonly Forgotten[]): Act => ({
  act: 'subject.forget',
  subject: auditedSubject(digest, subject),
  details: {
    platform: subject.platform,
    removed: forgotten.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
    not_reached: forgotten.filter(({ removed }) => removed === null).length,
  },
});
