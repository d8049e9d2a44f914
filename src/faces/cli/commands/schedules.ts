import type { Command } from 'commander';
import { systemClock } from '../../../../lib/runtime/clock.js';
import {
  scheduleChangeObject,
  scheduleObject,
  scheduleRunObject,
} from '../../../service/jobs/job-objects.js';
import type { Context } from '../context.js';
import { timeOf } from '../history/subjects.js';
import { addLinkCommands } from '../jobs/link-commands.js';
import { addObjectCommand, showPages } from '../jobs/server-command.js';

const id = ['<id>', 'sched_…, as `extract jobs schedules list` shows it'] as const;

const pathOf = (schedule: string, rest = '') => `schedules/${encodeURIComponent(schedule)}${rest}`;

const ofSchedule = { schema: scheduleObject, args: [id], pathOf };

/** `extract jobs schedules …`: manages recurring jobs on a server. */
export function defineCommand(group: Command, context: Context): void {
  const list = group
    .command('list')
    .description('List the schedules, newest first, with their price per month');
  showPages(list, context, scheduleObject, { items: 'Schedules' }, () => 'schedules');

  addObjectCommand(group, context, ['show', 'Show a schedule'], ofSchedule);

  const runs = group
    .command('runs')
    .description('List the runs of a schedule, newest first, with missed times')
    .argument(...id);
  showPages(runs, context, scheduleRunObject, { items: 'Runs' }, (schedule = '') =>
    pathOf(schedule, '/runs'),
  );

  const changes = group
    .command('changes')
    .description('List the changes that a schedule with --history recorded, oldest first')
    .argument(...id)
    .option('--since <time>', 'Since this time: 2026-11-01, or 36h, 7d, 4w ago')
    .option('--field <name>', 'Only changes of this field');
  showPages(
    changes,
    context,
    scheduleChangeObject,
    { items: 'Changes', most: 1000, limit: '100' },
    (schedule = '') => pathOf(schedule, '/changes'),
    ({ since, field }) => {
      const from = since === undefined ? undefined : timeOf(String(since), systemClock.now());
      return {
        ...(from === undefined ? {} : { since: new Date(from).toISOString() }),
        ...(field === undefined ? {} : { field: String(field) }),
      };
    },
  );

  for (const words of [
    ['pause', 'Pause a schedule'],
    ['resume', 'Resume a paused schedule'],
    ['run', 'Run a schedule now, in addition to its times'],
    ['end', 'End a schedule and delete its history; running jobs continue'],
  ] as const) {
    const change = { ...ofSchedule, method: 'post', rest: `/${words[0]}` } as const;
    addObjectCommand(group, context, words, change);
  }

  addLinkCommands(group, context, { name: 'schedule', id, pathOf });
}
