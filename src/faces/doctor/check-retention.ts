import type { Endpoint } from '../../../lib/endpoint.js';
import { readRetention } from '../../config/retention-config.js';
import { readableEnvironment } from '../../config/settings.js';
import { type Finding, ok } from './finding.js';
import { keptData } from './kept-data.js';

/** Reports the retention periods that a setting controls; the guide lists the others. */
export function checkRetention(endpoints: readonly Endpoint[], env?: NodeJS.ProcessEnv): Finding {
  const texts = keptData(readRetention(readableEnvironment(env)), endpoints).flatMap(
    ({ data, until, setting }) => (setting === null ? [] : [`${data} ${until} (${setting})`]),
  );
  return ok('retention', texts.join('; '));
}
