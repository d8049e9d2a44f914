import * as kind from '../../lib/config-kinds.js';
import { type Environment, optional, readSettings, setting, type ValuesOf } from '../../lib/config-values.js';

/** How long a server stores the data that its books do not depend on. */
export const retentionSettings = {
  resultDays: setting(
    'EXTRACT_RESULT_DAYS',
    kind.wholeNumber(1),
    '7',
    'Days for which the results of a job are kept after its end, with the attempts of its webhook.',
  ),
  historyDays: setting(
    'EXTRACT_HISTORY_DAYS',
    kind.wholeNumber(1),
    '400',
    'Days for which the changes of schedules with `history` are kept. What was read last stays until the schedule ends.',
  ),
  refusedCallDays: setting(
    'EXTRACT_REFUSED_CALL_DAYS',
    kind.wholeNumber(1),
    '30',
    'Days for which calls are kept that were refused before they were charged, 1,000 an account at most.',
  ),
  mailDays: setting(
    'EXTRACT_MAIL_DAYS',
    kind.wholeNumber(1),
    '7',
    'Days for which an e-mail is kept as a file where no mail server is set.',
  ),
  usageArchiveDays: optional(
    'EXTRACT_USAGE_ARCHIVE_DAYS',
    kind.wholeNumber(1),
    'Days for which what `extract usage archive` made in the data directory is kept, after it was made. Without it, for good.',
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
