import { type Config, librarySettings, readConfig } from '../../lib/config.js';
import {
  type Environment,
  readSettings,
  type SettingTable,
  type ShownValue,
} from '../../lib/config-values.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { platforms } from '../../lib/platforms.js';
import { findBrowser } from '../../lib/web/browser/find.js';
import { gapOf } from '../../lib/web/gap.js';
import { firstSurface } from '../../lib/web/page-source.js';
import { readServerConfig } from './server-config.js';
import { settingTables } from './settings.js';

/** A setting in force, with its default. */
export interface ShownSetting {
  readonly setting: string;
  readonly value: ShownValue;
  readonly default: ShownValue;
}

/** Fills in omitted values: the platforms' own pace, the browser found. */
function inForce(config: Config, endpoints: readonly Endpoint[]): Config {
  const polite = platforms.flatMap((platform) => {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    return site === undefined ? [] : [[platform, gapOf(site, firstSurface(site), config)] as const];
  });
  return {
    ...config,
    browserPath: findBrowser(config).path ?? undefined,
    paceMs: { ...Object.fromEntries(polite.map(([platform, { ms }]) => [platform, ms])), ...config.paceMs },
    concurrency: {
      ...Object.fromEntries(polite.map(([platform, { concurrency }]) => [platform, concurrency])),
      ...config.concurrency,
    },
  };
}

const shownOf = (table: SettingTable, values: Readonly<Record<string, unknown>>) =>
  Object.entries(table).map(([key, one]) => one.show(values[key]));

function shownValues(
  config: Config,
  endpoints: readonly Endpoint[],
  env: Environment,
): Readonly<Record<string, ShownValue>> {
  readServerConfig({}, env);
  const [, ...others] = settingTables;
  return Object.assign(
    {},
    ...shownOf(librarySettings, { ...inForce(config, endpoints) }),
    ...others.flatMap(([, table]) => shownOf(table, readSettings(table, env))),
  );
}

/** Returns the settings in force, without secrets. Throws `invalid_parameter` for an invalid one. */
export function shownSettings(
  config: Config,
  endpoints: readonly Endpoint[],
  env: Environment = process.env,
): ShownSetting[] {
  const defaults = shownValues(readConfig({}, {}), endpoints, {});
  return Object.entries(shownValues(config, endpoints, env)).map(([setting, value]) => ({
    ...{ setting, value, default: defaults[setting] ?? null },
  }));
}
