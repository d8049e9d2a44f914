import { Badge, type Tone } from '../../../output/site/status.js';
import type { Schedule, ScheduleStatus } from '../../../service/jobs/schedules/schedule.js';
import { ActionButton } from './form.js';

const statuses: Readonly<Record<ScheduleStatus, readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  ended: ['bad', 'Ended'],
};

export function ScheduleBadge({ status }: Pick<Schedule, 'status'>) {
  const [tone, word] = statuses[status];
  return <Badge tone={tone}>{word}</Badge>;
}

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
