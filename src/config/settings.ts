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

/** Every table of settings with its title, in the order of the documentation. */
export const settingTables = [
  ['Requests and cache', librarySettings],
  ['Commands', programSettings],
  ['Server', serverSettings],
  ['Database', databaseSettings],
  ['Sign-in, mail and payments', hostingSettings],
  ['Buckets', bucketSettings],
] as const;

const firstSettings: ReadonlySet<string> = new Set([
  ...['EXTRACT_HOME', 'EXTRACT_CONTACT', 'EXTRACT_BROWSER', 'EXTRACT_USER_AGENT'],
  ...['HTTPS_PROXY', 'EXTRACT_BASE_URL', 'EXTRACT_API_KEY', 'EXTRACT_PORT'],
  ...['EXTRACT_DATABASE_URL', 'EXTRACT_DOCS_URL', 'EXTRACT_SMTP_URL', 'EXTRACT_OPERATOR_EMAIL'],
]);

export const everySetting: readonly Setting[] = settingTables.flatMap(([, table]) =>
  Object.values<Setting>(table),
);

/** Returns the environment without invalid settings, so that they have their defaults. */
export const readableEnvironment = (env: Environment = process.env): Environment =>
  withoutWrong(everySetting, env);

/** Rows of the documentation. Consecutive settings with the same description share one. */
const rowsOf = (table: readonly Setting[]): readonly SettingRow[] =>
  table
    .flatMap(({ rows }) => rows)
    .flatMap((row, index, all) => {
      if (all[index - 1]?.text === row.text) return [];
      const end = all.findIndex(({ text }, at) => at > index && text !== row.text);
      const names = all.slice(index, end < 0 ? undefined : end).map(({ name }) => name);
      return [{ ...row, name: names.join(', ') }];
    });

export const settings = rowsOf(everySetting);

export const isFirst = ({ name }: Pick<SettingRow, 'name'>): boolean =>
  name.split(/[\s,|`]+/).some((one) => firstSettings.has(one));

/** The rows by table, under its title. The settings that most people change come first. */
export const settingGroups: readonly { readonly title: string; readonly rows: readonly SettingRow[] }[] = [
  { title: 'Most used', rows: settings.filter(isFirst) },
  ...settingTables.map(([title, table]) => ({
    title,
    rows: rowsOf(Object.values<Setting>(table)).filter((row) => !isFirst(row)),
  })),
];

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
  // A shorter one would match everywhere.
  return [...new Set(secrets)].filter((secret) => secret.length >= 4);
}
