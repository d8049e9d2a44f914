import { type Clock, dayMs, hourMs } from '../../lib/runtime/clock.js';
import { DateWatch } from '../../lib/runtime/date-watch.js';
import { PeriodicTask } from '../../lib/runtime/periodic-task.js';
import type { Retention } from '../config/retention-config.js';
import { deleteOldMails } from '../service/accounts/mail/file-mailer.js';
import type { ScheduleStore } from '../service/jobs/schedules/schedule-store.js';
import { deleteOldUsageArchives } from '../service/usage/archive-usage.js';
import type { RefusedCalls } from '../service/usage/refused-calls.js';

export interface RetentionSweepOptions {
  readonly home: string;
  readonly retention: Omit<Retention, 'resultDays'>;
  readonly clock: Clock;
  readonly refusedCalls: Pick<RefusedCalls, 'prune'>;
  readonly schedules: Pick<ScheduleStore, 'pruneChanges'>;
  readonly onError: (cause: unknown) => void;
}

/**
 * Deletes expired data once an hour. Results of jobs have their own sweep. All servers of a database may run it
 * concurrently.
 */
export function retentionSweep(options: RetentionSweepOptions): PeriodicTask {
  const { home, retention, clock, refusedCalls, schedules, onError } = options;
  const date = new DateWatch(clock);
  return new PeriodicTask(clock, hourMs, async () => {
    if (!date.isSteady()) return;
    const before = (days: number) => clock.now() - days * dayMs;
    const { usageArchiveDays } = retention;
    const sweeps = await Promise.allSettled([
      schedules.pruneChanges(before(retention.historyDays)),
      refusedCalls.prune(before(retention.refusedCallDays)),
      deleteOldMails(home, before(retention.mailDays)),
      usageArchiveDays === undefined ? undefined : deleteOldUsageArchives(home, before(usageArchiveDays)),
    ]);
    for (const sweep of sweeps) if (sweep.status === 'rejected') onError(sweep.reason);
  });
}
