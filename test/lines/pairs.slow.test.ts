import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { steps } from '../../src/lines/steps.js';
import { argv, extract } from '../support/cli.js';
import { loopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
let number = 0;
const fresh = (ending: string) => {
  number += 1;
  return path.join(folder, `${number}${ending}`);
};

/** How a step is requested, by its name. */
const requests: Readonly<Record<string, (origin: string) => readonly string[]>> = {
  evidence: () => ['--archive', fresh('.wacz')],
  history: () => ['--history', fresh('.sqlite')],
  'only-new': () => ['--new', path.basename(fresh('-pair'))],
  condition: () => argv`--when true`,
  dedupe: () => ['--dedupe'],
  pseudonyms: () => argv`--pseudonymise author,username`,
  media: () => ['--media', fresh('')],
  captions: () => argv`--media ${fresh('')} --captions`,
  notices: (origin) => ['--notify', `${origin}/told`],
};

/** Where lines go. */
const sinks: Readonly<Record<string, () => readonly string[]>> = {
  stream: () => [],
  file: () => ['-o', fresh('.csv')],
  lines: () => ['-o', fresh('.ndjson')],
  table: () => ['-o', fresh('.xlsx')],
  'database that is added to': () => argv`-o ${fresh('.sqlite')} --append`,
};

/** A command that takes steps, and the sinks that it has. */
interface Walked {
  readonly args: readonly string[];
  readonly sinks: Readonly<Record<string, () => readonly string[]>>;
  /** Returns the path of the file that must exist for a named output. */
  readonly written?: (file: string) => string;
}

const { stream: _, ...files } = sinks;
const town = argv`--query cafe --demo`;
const commands: Readonly<Record<string, Walked>> = {
  batch: { args: argv`batch shortvideo/video - --demo`, sinks },
  chain: {
    args: argv`batch shortvideo/video - --then shortvideo/comments --then-limit 1 --demo`,
    sinks: files,
    written: (file) => (file.endsWith('.sqlite') ? file : file.replace(/\.\w+$/, '.1-shortvideo-video$&')),
  },
  area: { args: argv`maps cover ${town} --bbox 23.70,37.95,23.705,37.955`, sinks },
  grid: {
    args: argv`maps grid ${town} --place ChIJtjc9rEc1bkcRzq9EdYiTlqE --size 2`,
    sinks: { stream: () => [], report: () => ['-o', fresh('.html')] },
  },
};

const stepsWithOptions = steps.filter(({ options }) => Object.keys(options).length > 0);

test('every step of the table is walked', () => {
  assert.deepEqual(Object.keys(requests).sort(), stepsWithOptions.map(({ name }) => name).sort());
});

for (const [command, { args, sinks: into, written = (file: string) => file }] of Object.entries(commands)) {
  describe(`a ${command} with two steps works, or is refused by name before anything is asked,`, () => {
    for (const [sink, outputOf] of Object.entries(into)) {
      test(`into a ${sink}`, async (t) => {
        const { origin } = await loopback(t, (_, response) => {
          response.writeHead(204).end();
        });
        for (const [at, one] of stepsWithOptions.entries()) {
          for (const other of stepsWithOptions.slice(at + 1)) {
            const output = outputOf();
            const flags = [one, other].flatMap(({ name }) => requests[name]?.(origin) ?? []);
            const stdin = '7571000000000000101\n';
            const { status, out, err } = await extract([...args, ...flags, ...output], { stdin });
            const pair = `${one.name} and ${other.name}: ${err}`;
            const [, file] = output;
            if (status === 2) {
              assert.ok(
                flags.some((flag) => flag.startsWith('--') && err.includes(flag)),
                pair,
              );
              assert.equal(out, '', pair);
              assert.equal(file !== undefined && existsSync(written(file)), false, pair);
            } else {
              assert.equal(status, 0, pair);
              assert.ok(file === undefined ? out !== '' : existsSync(written(file)), pair);
            }
          }
        }
      });
    }
  });
}
