import { librarySettings } from '../../lib/config.js';
import {
  type Environment,
  readText,
  type Setting,
  type SettingRow,
  withoutWrong,
} from '../../lib/config-values.js';
import { bucketSettings } from './bucket-config.js';
import { databaseSettings } from './database-config.js';
import { hostingSettings } from './hosting-config.js';
import { programSettings } from './program-config.js';
import { serverSettings } from './server-config.js';

/** Every table of settings, in the order of the documentation. */
export const settingTables = [
  librarySettings,
  programSettings,
  serverSettings,
  databaseSettings,
  hostingSettings,
  bucketSettings,
] as const;

/** Every setting read from the environment. */
export const everySetting: readonly Setting[] = settingTables.flatMap((table) =>
  Object.values<Setting>(table),
);

/** Returns the environment without invalid settings, which then have their defaults. */
export const readableEnvironment = (env: Environment = process.env): Environment =>
  withoutWrong(everySetting, env);

/** The rows of the documentation's table. Consecutive settings with the same description share a row. */
export const settings: readonly SettingRow[] = everySetting
  .flatMap(({ rows }) => rows)
  .flatMap((row, index, all) => {
    if (all[index - 1]?.text === row.text) return [];
    const end = all.findIndex(({ text }, at) => at > index && text !== row.text);
    const names = all.slice(index, end < 0 ? undefined : end).map(({ name }) => name);
    return [{ ...row, name: names.join(', ') }];
  });

/** Names of the settings that reveal who the operator is. */
export const personalSettings: ReadonlySet<string> = new Set(
  everySetting.filter(({ kind }) => kind.isPersonal === true).flatMap(({ names }) => names),
);

/** Returns every secret in the settings, so that a text can be searched for them. */
export function secretValues(env: Environment = process.env): readonly string[] {
  const secrets = everySetting.flatMap(({ names, kind }) =>
    names.flatMap((name) => {
      const text = readText(env, name);
      return text === undefined ? [] : (kind.secrets?.(text) ?? []);
    }),
  );
  // A shorter one would be found everywhere.
  return [...new Set(secrets)].filter((secret) => secret.length >= 4);
}
