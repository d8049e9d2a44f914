import { librarySettings, type Setting } from '../../lib/config.js';
import { databaseSettings } from './database-config.js';
import { hostingSettings } from './hosting-config.js';
import { programSettings } from './program-config.js';
import { serverSettings } from './server-config.js';

/** Every setting that is read from the environment, in the order of the README's table. */
export const settings: readonly Setting[] = [
  ...librarySettings,
  ...programSettings,
  ...serverSettings,
  ...databaseSettings,
  ...hostingSettings,
];
