import { createInterface } from 'node:readline';
import { lock } from '../../../src/files/result-files/lock.js';

/** A process that takes a lock on command, says whether it got it, and releases it on command. */
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
