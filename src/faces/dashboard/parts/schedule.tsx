import { stateBadge } from '../../../output/site/status.js';
import type { Schedule, ScheduleStatus } from '../../../service/jobs/schedules/schedule.js';
import { ActionButton } from './form.js';

export const ScheduleBadge = stateBadge<ScheduleStatus>({
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  ended: ['bad', 'Ended'],
});

export function Every({ every, timezone }: Pick<Schedule, 'every' | 'timezone'>) {
  return (
    <>
      <code>{every}</code>
      {timezone === 'UTC' ? null : <small> {timezone}</small>}
    </>
  );
}

/** The actions for a schedule; none once it has ended. */
export function ScheduleActions({ schedule: { id, status } }: { schedule: Schedule }) {
  if (status === 'ended') return null;
  const path = `/dashboard/schedules/${id}`;
  return (
    <div className="row">
      {status === 'active' ? (
        <>
          <ActionButton action={`${path}/run`} kind="quiet">
            Run now
          </ActionButton>
          <ActionButton action={`${path}/pause`} kind="quiet">
            Pause
          </ActionButton>
        </>
      ) : (
        <ActionButton action={`${path}/resume`} kind="quiet">
          Resume
        </ActionButton>
      )}
      <a className="button danger" href={`${path}/end`}>
        End
      </a>
    </div>
  );
}
