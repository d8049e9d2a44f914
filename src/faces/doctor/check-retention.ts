import type { Endpoint } from '../../../lib/endpoint.js';
import { readServerConfig } from '../../config/server-config.js';
import { readableEnvironment } from '../../config/settings.js';
import { duration } from '../../output/duration.js';
import { retention } from '../../service/jobs/job-row.js';
import { refusedCallDays } from '../../service/usage/refused-calls.js';
import { type Finding, ok } from './finding.js';

const daySeconds = 86_400;
const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** For how long each kind of data is kept that a server has, and by which setting. */
export function checkRetention(endpoints: readonly Endpoint[], env?: NodeJS.ProcessEnv): Finding {
  const { historyDays } = readServerConfig({}, readableEnvironment(env));
  const longest = Math.max(0, ...endpoints.map(({ cacheSeconds }) => cacheSeconds));
  const kinds = [
    `cached answers up to ${duration(longest)}`,
    `results of jobs ${daysText(retention / (1_000 * daySeconds))}`,
    `changes of schedules ${daysText(historyDays)} (EXTRACT_HISTORY_DAYS)`,
    `refused calls ${daysText(refusedCallDays)}`,
    'calls until “extract usage archive”',
    'accounts until they are deleted',
    'the audit log for good',
  ];
  return ok('retention', kinds.join('; '));
}
