import type { Endpoint } from '../../../lib/endpoint.js';
import { readRetention } from '../../config/retention-config.js';
import { readableEnvironment } from '../../config/settings.js';
import { type Finding, ok } from './finding.js';
import { keptData } from './kept-data.js';

/** For how long each kind of data is kept that a server has, and by which setting. */
export function checkRetention(endpoints: readonly Endpoint[], env?: NodeJS.ProcessEnv): Finding {
  const kinds = keptData(readRetention(readableEnvironment(env)), endpoints);
  const texts = kinds.map(({ data, until, setting }) => {
    return `${data} ${until}${setting === null ? '' : ` (${setting})`}`;
  });
  return ok('retention', texts.join('; '));
}
