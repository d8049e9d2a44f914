import { createInterface } from 'node:readline';
import { lock } from '../../src/batch-files/lock.js';

/** A process that takes a lock when told to, says whether it got it, and gives it back when told to. */
const [file = ''] = process.argv.slice(2);
let unlock: (() => void) | undefined;

for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'take') {
    unlock = await lock(file, 'out').catch(() => undefined);
    console.log(unlock === undefined ? 'refused' : 'taken');
  } else {
    unlock?.();
    unlock = undefined;
    console.log('free');
  }
}
