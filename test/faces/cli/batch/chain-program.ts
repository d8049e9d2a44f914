import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Answer } from '../../../../lib/call/envelope.js';
import { extract } from '../../../support/cli.js';
import { harbourMeta } from '../../../support/invented-rows.js';

/** A chain over an invented platform, in a process that can be killed. It writes a character for each call. */
const [home = '', ...args] = process.argv.slice(2);

const { status, err } = await extract(['batch', ...args], {
  config: { home },
  extractor: {
    async answer({ path, credits }, params): Promise<Answer> {
      await setTimeout(2);
      const subject = String(params.query ?? params.id);
      writeSync(1, '.');
      const ids =
        path === 'shortvideo/search'
          ? [1, 2, 3].map((at) => `757300000000000${subject}${at}`)
          : [`9${subject}`];
      const sources = ids.map((id, at) => ({
        ...{ id, url: null, author: null, position: at + 1 },
        fetched_at: harbourMeta.fetched_at,
      }));
      return {
        source: 'platform',
        json: JSON.stringify(ids.map((id) => ({ id }))),
        sources: JSON.stringify(sources),
        meta: { ...harbourMeta, credits_charged: credits },
      };
    },
  },
});
process.stderr.write(err);
process.exit(status);
