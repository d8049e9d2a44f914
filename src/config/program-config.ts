import { docsUrl, extraCaCerts } from '../../lib/config.js';
import * as kind from '../../lib/config-kinds.js';
import { type Environment, optional, setting } from '../../lib/config-values.js';

/** Settings that every program around the library reads. An invalid value counts as not set. */
export const programSettings = {
  webhookSecret: optional(
    'EXTRACT_WEBHOOK_SECRET',
    kind.secret,
    'Signing secret (whsec_…) with which `extract jobs webhooks listen` verifies deliveries.',
  ),
  noColor: setting('NO_COLOR', { parse: (text) => text !== '' }, '', 'Any value disables colours.'),
  debug: setting(
    'EXTRACT_DEBUG',
    { parse: (text) => kind.booleanOf(text) === true },
    'false',
    'Show the stack trace of a fault, and what a failed call received from the platform.',
  ),
  updateNotice: setting(
    'EXTRACT_UPDATE_NOTICE',
    { parse: (text) => kind.booleanOf(text) === true },
    'false',
    'Report a newer version on a terminal. Asks npm once a day; without this setting, nothing is requested.',
  ),
} as const;

export interface ProgramSettings {
  readonly color: boolean;
  /** False if the terminal does not support escape sequences (`TERM=dumb`, as in Emacs). */
  readonly movesCursor: boolean;
  readonly debug: boolean;
  /** True to check daily for a newer version, and print it at a terminal. */
  readonly updateNotice: boolean;
  readonly docsUrl: string;
  /** File with further certificate authorities, which Node.js itself reads. */
  readonly extraCaCerts: string | undefined;
}

/** Reads a program's own settings. Never throws. */
export function readProgramSettings(env: Environment = process.env): ProgramSettings {
  const movesCursor = env.TERM !== 'dumb';
  return {
    color: movesCursor && !programSettings.noColor.read(env),
    movesCursor,
    debug: programSettings.debug.read(env),
    updateNotice: programSettings.updateNotice.read(env),
    docsUrl: docsUrl.read(env),
    extraCaCerts: extraCaCerts.read(env),
  };
}

/** Reads the secret with which a receiver on this machine verifies webhook deliveries. */
export function readWebhookSecret(env: Environment = process.env): string | undefined {
  return programSettings.webhookSecret.read(env);
}
