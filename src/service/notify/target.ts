import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** The kinds, as they are written before an address. */
const targetKinds = ['webhook', 'slack', 'discord', 'teams', 'mattermost', 'ntfy', 'mail'] as const;
type TargetKind = (typeof targetKinds)[number];

export interface Target {
  readonly kind: TargetKind;
  /** An http or https URL, or an e-mail address. */
  readonly address: string;
}

const maxTargetLength = 2048;
/** Maximum targets of a watch, batch or schedule. */
export const maxTargets = 10;

/** Hosts that imply the kind. */
const hosts: readonly (readonly [RegExp, TargetKind])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/^((ptb|canary)\.)?discord(app)?\.com$/, 'discord'],
  [/\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
  [/^ntfy\.sh$/, 'ntfy'],
];

function wrong(why: string): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `An alert target ${why}. Use the URL of a webhook, of Slack, Discord, Teams or ntfy.sh, an e-mail address, or a kind before the URL: ${targetKinds.map((kind) => `${kind}:`).join(' ')}`,
  );
}

/** Returns true if the path ends in the name of an ntfy topic. */
function namesTopic({ pathname }: URL): boolean {
  try {
    return decodeURIComponent(pathname).replaceAll('/', '') !== '';
  } catch {
    return false;
  }
}

/**
 * Parses a target: the address of a webhook or a person, preceded by its kind if the host does not imply it. Throws
 * `invalid_parameter` without quoting the address, which may be a secret.
 */
export function parseTarget(text: string): Target {
  const trimmed = text.trim();
  if (trimmed.length > maxTargetLength) throw wrong(`must have at most ${maxTargetLength} characters`);
  const [, word, rest = trimmed] = /^([a-z]+):(?!\/\/)(.*)$/s.exec(trimmed) ?? [];
  const kindName = word === 'mailto' ? 'mail' : word;
  const kind = targetKinds.find((one) => one === kindName);
  if (kindName !== undefined && kind === undefined) throw wrong('has an unknown kind');
  if (kind === 'mail' || (kind === undefined && !trimmed.includes('/'))) {
    if (!z.email().safeParse(rest).success) throw wrong('must have a valid e-mail address');
    return { kind: 'mail', address: rest };
  }
  const url = URL.canParse(rest) ? new URL(rest) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw wrong('must not contain a user name or password');
  const targetKind = kind ?? hosts.find(([host]) => host.test(url.hostname))?.[1] ?? 'webhook';
  if (targetKind === 'ntfy' && !namesTopic(url)) throw wrong('of ntfy must name a topic');
  return { kind: targetKind, address: url.href };
}

/** Returns a target without its path, which is the secret of an incoming webhook. */
export function shownTarget({ kind, address }: Target): string {
  return kind === 'mail' ? `mail: ${address}` : `${kind}: ${new URL(address).host}/…`;
}
