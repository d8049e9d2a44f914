import { docsUrl, type Setting } from '../../lib/config.js';
import { booleanOf, type Environment, readText } from '../../lib/config-values.js';

/** Settings that every program around the library reads. */
export const programSettings: readonly Setting[] = [
  {
    name: 'EXTRACT_WEBHOOK_SECRET',
    default: '',
    text: 'Signing secret (whsec_…) with which `extract webhooks listen` verifies deliveries.',
  },
  { name: 'NO_COLOR', default: '', text: 'Any value turns colours off.' },
  {
    name: 'EXTRACT_DEBUG',
    default: 'false',
    text: 'Show the stack trace of a fault, and what a failed call received from the platform.',
  },
];

/** What every program around the library reads for itself. */
export interface ProgramSettings {
  readonly color: boolean;
  /** Show the stack of a fault. */
  readonly debug: boolean;
  readonly docsUrl: string;
  /** File with further certificate authorities, which Node.js itself reads. */
  readonly extraCaCerts: string | undefined;
}

/** Reads a program's own settings. Never throws: a setting that cannot be understood counts as not set. */
export function readProgramSettings(env: Environment = process.env): ProgramSettings {
  return {
    color: readText(env, 'NO_COLOR') === undefined,
    debug: booleanOf(readText(env, 'EXTRACT_DEBUG') ?? '') === true,
    docsUrl: docsUrl(env),
    extraCaCerts: readText(env, 'NODE_EXTRA_CA_CERTS'),
  };
}

/** Reads the secret that a receiver of webhooks on this machine verifies deliveries with. */
export function readWebhookSecret(env: Environment = process.env): string | undefined {
  return readText(env, 'EXTRACT_WEBHOOK_SECRET');
}
