import type { Environment } from '../../lib/config-values.js';
import { everySetting } from './settings.js';

/** Returns the environment variables that programs around the library read, with their values. */
export function settingsInForce(env: Environment = process.env): Readonly<Record<string, string>> {
  const names = new Set(everySetting.flatMap((setting) => setting.names));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) =>
      value !== '' && (names.has(name) || name.startsWith('EXTRACT_')) ? [[name, value] as const] : [],
    ),
  );
}
