import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { extract } from '../../../support/cli.js';
import { anAnswer, sourcesOf } from '../../../support/invented-rows.js';

/** A chain over an invented platform, in a process that can be killed. It writes a character for each call. */
const [home = '', ...args] = process.argv.slice(2);

const { status, err } = await extract(['batch', ...args], {
  config: { home },
  extractor: {
    async answer({ path, credits }, params) {
      await setTimeout(2);
      const subject = String(params.query ?? params.id);
      writeSync(1, '.');
      const isSearch = path === 'shortvideo/search';
      const ids = isSearch ? [1, 2, 3].map((at) => `757300000000000${subject}${at}`) : [`9${subject}`];
      const data = ids.map((id) => ({ id }));
      return anAnswer(data, { sources: sourcesOf(ids), meta: { credits_charged: credits } });
    },
  },
});
process.stderr.write(err);
process.exit(status);
