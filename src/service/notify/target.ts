import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** The kinds of targets, as they may be written before an address. */
const targetKinds = ['webhook', 'slack', 'discord', 'teams', 'mattermost', 'ntfy', 'mail'] as const;
type TargetKind = (typeof targetKinds)[number];

/** A receiver of notices. */
export interface Target {
  readonly kind: TargetKind;
  /** An http or https URL; of a mail, its address. */
  readonly address: string;
}

/** Characters of a target, at most. */
const maxTargetLength = 2048;
/** Targets of one watch, batch or schedule, at most. */
export const maxTargets = 10;

/** Hosts that tell the kind by themselves. */
const hosts: readonly (readonly [RegExp, TargetKind])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((ptb|canary)\.)?discord(app)?\.com$/, 'discord'],
  [/\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
  [/^ntfy\.sh$/, 'ntfy'],
];

function wrong(why: string): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `A target of alerts ${why}. Give the URL of a webhook, of Slack, Discord, Teams or ntfy.sh, an e-mail address, or a kind before the URL: ${targetKinds.map((kind) => `${kind}:`).join(' ')}`,
  );
}

/** Whether the path of an address ends in the name of a topic of ntfy. */
function namesTopic({ pathname }: URL): boolean {
  try {
    return decodeURIComponent(pathname).replaceAll('/', '') !== '';
  } catch {
    return false;
  }
}

/**
 * Parses a target: the address of a webhook or a person, with its kind before it where the host does not tell. Throws
 * `invalid_parameter`, with none of the address in its message: it may be a secret.
 */
export function parseTarget(text: string): Target {
  const trimmed = text.trim();
  if (trimmed.length > maxTargetLength) throw wrong(`has at most ${maxTargetLength} characters`);
  const [, word, rest = trimmed] = /^([a-z]+):(?!\/\/)(.*)$/s.exec(trimmed) ?? [];
  const named = word === 'mailto' ? 'mail' : word;
  const kind = targetKinds.find((one) => one === named);
  if (named !== undefined && kind === undefined) throw wrong('has a kind that is not known');
  if (kind === 'mail' || (kind === undefined && !trimmed.includes('/'))) {
    if (!z.email().safeParse(rest).success) throw wrong('has no e-mail address that can be one');
    return { kind: 'mail', address: rest };
  }
  const url = URL.canParse(rest) ? new URL(rest) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('is an http or https URL');
  if (url.username !== '' || url.password !== '') throw wrong('carries no user name or password');
  const known = kind ?? hosts.find(([host]) => host.test(url.hostname))?.[1] ?? 'webhook';
  if (known === 'ntfy' && !namesTopic(url)) throw wrong('of ntfy names a topic');
  return { kind: known, address: url.href };
}

/** A target as it may be shown: the path of an incoming webhook is its secret. */
export function shownTarget({ kind, address }: Target): string {
  return kind === 'mail' ? `mail: ${address}` : `${kind}: ${new URL(address).host}/…`;
}
