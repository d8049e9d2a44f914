import type { Endpoint } from '../../../lib/endpoint.js';
import { type Retention, retentionSettings } from '../../config/retention-config.js';
import { duration } from '../../output/duration.js';
import { sessionIdleMs } from '../../service/accounts/sign-in/sign-in.js';
import { historyDays as healthDays } from '../../service/health/day-states.js';

export interface RetainedData {
  readonly data: string;
  /** Retention period. */
  readonly until: string;
  /** The setting that controls it; null if none does. */
  readonly setting: string | null;
  /** Why no setting shortens it; null if one does. */
  readonly reason: string | null;
}

function daysText(days: number | undefined): string {
  if (days === undefined) return 'for good';
  return days === 1 ? '1 day' : `${days} days`;
}

/** Returns the retention period of each kind of data. */
export function retainedData(retention: Retention, endpoints: readonly Endpoint[]): readonly RetainedData[] {
  const longest = Math.max(0, ...endpoints.map(({ cacheSeconds }) => cacheSeconds));
  const set = (data: string, key: keyof Retention): RetainedData => ({
    data,
    until: daysText(retention[key]),
    setting: retentionSettings[key].names.join(),
    reason: null,
  });
  const fixed = (data: string, until: string, reason: string): RetainedData => ({
    ...{ data, until, setting: null, reason },
  });
  return [
    set('results of jobs', 'resultDays'),
    set('changes of schedules', 'historyDays'),
    set('refused calls', 'refusedCallDays'),
    set('unsent e-mails', 'mailDays'),
    set('archives of usage', 'usageArchiveDays'),
    fixed(
      'cached answers',
      `up to ${duration(longest)}`,
      'Each endpoint has its own lifetime, which callers rely on. EXTRACT_CACHE=false disables the cache.',
    ),
    fixed('inputs', 'until their job or schedule has ended', 'The job or schedule needs them to continue.'),
    fixed(
      'jobs, without their results',
      'until their account is deleted',
      'Their credits are part of the ledger.',
    ),
    fixed(
      'calls',
      'until “extract usage archive”',
      'A balance is the sum of all credits and charges: calls may be moved to a file and summed by day, but are never deleted.',
    ),
    fixed('receipts of packs', 'for good', 'They are part of the ledger.'),
    fixed('accounts', 'until they are deleted', 'Their owners, or you, delete them.'),
    fixed(
      'sessions',
      daysText(sessionIdleMs / 86_400_000),
      'Each use restarts the time; people can end their own sessions.',
    ),
    fixed(
      'health of endpoints',
      daysText(healthDays),
      'Counts and errors of endpoints, without personal data.',
    ),
    fixed(
      'what --new and watches remember',
      'until “extract history new forget”',
      'Forgotten items count as new again.',
    ),
    fixed('counts of requests to platforms', 'for good', 'Daily totals without personal data.'),
    fixed(
      'the audit log',
      'for good',
      'Each entry has the digest of the previous one, so removing one would hide whether others were removed. It contains no personal data.',
    ),
  ];
}
