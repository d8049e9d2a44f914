import * as kind from '../../lib/config-kinds.js';
import { type Environment, optional, readSettings, setting, type ValuesOf } from '../../lib/config-values.js';

/** How long a server stores the data that its books do not depend on. */
export const retentionSettings = {
  resultDays: setting(
    'EXTRACT_RESULT_DAYS',
    kind.wholeNumber(1),
    '7',
    'Days to keep the results of a job after it ends, with the attempts of its webhook.',
  ),
  historyDays: setting(
    'EXTRACT_HISTORY_DAYS',
    kind.wholeNumber(1),
    '400',
    'Days to keep the changes of schedules with `history`. The latest state stays until the schedule ends.',
  ),
  refusedCallDays: setting(
    'EXTRACT_REFUSED_CALL_DAYS',
    kind.wholeNumber(1),
    '30',
    'Days to keep calls that were refused before being charged, at most 1,000 per account.',
  ),
  mailDays: setting(
    'EXTRACT_MAIL_DAYS',
    kind.wholeNumber(1),
    '7',
    'Days to keep e-mails that are stored as files because there is no mail server.',
  ),
  usageArchiveDays: optional(
    'EXTRACT_USAGE_ARCHIVE_DAYS',
    kind.wholeNumber(1),
    'Days to keep the files of `extract usage archive` in the data directory. Forever if not set.',
  ),
} as const;

export type Retention = ValuesOf<typeof retentionSettings>;

/** Reads how long data is stored. Throws `invalid_parameter`. */
export const readRetention = (env: Environment = process.env): Retention =>
  readSettings(retentionSettings, env);

/** Days by the names of their settings. */
export const retentionByName = (retention: Retention): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    (Object.keys(retentionSettings) as (keyof Retention)[]).flatMap((key) =>
      retentionSettings[key].names.map((name) => [name, retention[key] ?? null]),
    ),
  );

export const defaultRetention: Retention = readRetention({});
