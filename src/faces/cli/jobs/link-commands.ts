import { Argument, type Command } from 'commander';
import {
  type LinkKind,
  linkKinds,
  linkObject,
  newLinkObject,
} from '../../../service/jobs/links/link-objects.js';
import type { Context } from '../context.js';
import { answerObject } from '../reply.js';
import { withServer } from './job-api.js';
import { addObjectCommand, showList } from './server-command.js';

interface LinkedGroup {
  readonly name: 'job' | 'schedule';
  /** The argument for the subject's ID, and its description. */
  readonly id: readonly [string, string];
  pathOf(id: string, rest: string): string;
}

/**
 * `extract jobs link`, `links` and `revoke-link`, and those of schedules: URLs that give access to one thing without a
 * key.
 */
export function addLinkCommands(group: Command, context: Context, { name, id, pathOf }: LinkedGroup): void {
  const link = group
    .command('link')
    .description(
      name === 'job'
        ? 'Create a URL that reads the results as CSV, without a key: for spreadsheets'
        : 'Create a URL that reads a schedule without a key: its changes as a feed, or its last results as CSV',
    )
    .argument(...id);
  if (name === 'schedule') {
    const kind = new Argument('<kind>', 'feed, for a schedule with --history, or table').choices(linkKinds);
    link.addArgument(kind);
  }
  answerObject(link, context, newLinkObject, async (subject: string, kind: unknown) => {
    const linkKind: LinkKind = name === 'job' ? 'table' : (kind as LinkKind);
    const body = JSON.stringify({ kind: linkKind });
    const path = pathOf(subject, '/links');
    const response = await withServer(context, (client) => client.post(path, { body }, context.signal));
    return { ...response, note: 'Anyone with the URL can read it. It is not shown again: save it now.' };
  });

  const links = group
    .command('links')
    .description(`List the links to a ${name}, newest first, with the time of the last read`)
    .argument(...id);
  showList(links, context, linkObject, (client, subject = '') =>
    client.get(pathOf(subject, '/links'), {}, context.signal),
  );

  addObjectCommand(group, context, ['revoke-link', `Revoke a link to a ${name}: its URL stops working`], {
    ...{ schema: linkObject, method: 'post' },
    args: [id, ['<link>', `link_…, as \`extract ${name}s links\` shows it`]],
    pathOf: (subject = '', one = '') => pathOf(subject, `/links/${encodeURIComponent(one)}/revoke`),
  });
}
