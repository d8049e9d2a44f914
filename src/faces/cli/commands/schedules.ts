import type { Command } from 'commander';
import { systemClock } from '../../../../lib/runtime/clock.js';
import {
  scheduleChangeObject,
  scheduleObject,
  scheduleRunObject,
} from '../../../service/jobs/job-objects.js';
import type { Context } from '../context.js';
import { timeOf } from '../history/subjects.js';
import { withServer } from '../jobs/job-api.js';
import { addLinkCommands } from '../jobs/link-commands.js';
import { addOutputOptions, addTableOptions } from '../output.js';
import { answerWriter } from '../reply.js';

const id = ['<id>', 'sched_…, as `extract schedules list` shows it'] as const;

const pathOf = (schedule: string, rest = '') => `schedules/${encodeURIComponent(schedule)}${rest}`;

/** `extract schedules …`: jobs that a server makes again and again. */
export function fillSchedules(group: Command, context: Context): void {
  const list = group
    .command('list')
    .description('List the schedules, newest first, with their price per month')
    .option('--limit <number>', 'Schedules a page: 1 to 100', '20')
    .option('--cursor <cursor>', '`meta.next_cursor` of the previous page');
  addTableOptions(list).action(async () => {
    const { limit, cursor } = list.opts();
    const reply = answerWriter(list, context, scheduleObject, true);
    const query = { limit: String(limit), ...(cursor === undefined ? {} : { cursor: String(cursor) }) };
    await reply(await withServer(context, (client) => client.get('schedules', query, context.signal)));
  });

  const show = group
    .command('show')
    .description('Show a schedule')
    .argument(...id);
  addOutputOptions(show).action(async (schedule: string) => {
    const reply = answerWriter(show, context, scheduleObject, false);
    await reply(await withServer(context, (client) => client.get(pathOf(schedule), {}, context.signal)));
  });

  const runs = group
    .command('runs')
    .description('List the runs of a schedule, newest first, with the times that were missed')
    .argument(...id)
    .option('--limit <number>', 'Runs a page: 1 to 100', '20')
    .option('--cursor <cursor>', '`meta.next_cursor` of the previous page');
  addTableOptions(runs).action(async (schedule: string) => {
    const { limit, cursor } = runs.opts();
    const reply = answerWriter(runs, context, scheduleRunObject, true);
    const query = { limit: String(limit), ...(cursor === undefined ? {} : { cursor: String(cursor) }) };
    const path = pathOf(schedule, '/runs');
    await reply(await withServer(context, (client) => client.get(path, query, context.signal)));
  });

  const changes = group
    .command('changes')
    .description('List what the runs of a schedule with --history saw change, oldest first')
    .argument(...id)
    .option('--since <time>', 'From this time on: 2026-11-01, or 36h, 7d, 4w ago')
    .option('--field <name>', 'Changes of this field alone')
    .option('--limit <number>', 'Changes a page: 1 to 1000', '100')
    .option('--cursor <cursor>', '`meta.next_cursor` of the previous page');
  addTableOptions(changes).action(async (schedule: string) => {
    const { limit, cursor, since, field } = changes.opts();
    const reply = answerWriter(changes, context, scheduleChangeObject, true);
    const from = since === undefined ? undefined : timeOf(String(since), systemClock.now());
    const query = {
      limit: String(limit),
      ...(cursor === undefined ? {} : { cursor: String(cursor) }),
      ...(from === undefined ? {} : { since: new Date(from).toISOString() }),
      ...(field === undefined ? {} : { field: String(field) }),
    };
    const path = pathOf(schedule, '/changes');
    await reply(await withServer(context, (client) => client.get(path, query, context.signal)));
  });

  for (const [name, description] of [
    ['pause', 'Pause a schedule: no more jobs until it is resumed'],
    ['resume', 'Resume a schedule with its next run'],
    ['run', 'Run a schedule now, beside its times'],
    ['end', 'End a schedule and delete its history; running jobs continue'],
  ] as const) {
    const command = group
      .command(name)
      .description(description)
      .argument(...id);
    addOutputOptions(command).action(async (schedule: string) => {
      const reply = answerWriter(command, context, scheduleObject, false);
      await reply(
        await withServer(context, (client) => client.post(pathOf(schedule, `/${name}`), {}, context.signal)),
      );
    });
  }

  addLinkCommands(group, context, { name: 'schedule', id, pathOf });
}
