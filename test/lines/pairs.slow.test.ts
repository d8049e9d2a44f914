import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { steps } from '../../src/lines/steps.js';
import { extract } from '../support/cli.js';
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
  condition: () => ['--when', 'username != ""'],
  dedupe: () => ['--dedupe'],
  pseudonyms: () => ['--pseudonymise', 'author,username'],
  media: () => ['--media', fresh('')],
  captions: () => ['--media', fresh(''), '--captions'],
  notices: (origin) => ['--notify', `${origin}/told`],
};

/** Where lines go. */
const sinks: Readonly<Record<string, () => readonly string[]>> = {
  stream: () => [],
  file: () => ['-o', fresh('.csv')],
  lines: () => ['-o', fresh('.ndjson')],
  table: () => ['-o', fresh('.xlsx')],
  'database that is added to': () => ['-o', fresh('.sqlite'), '--append'],
};

const named = steps.filter(({ options }) => Object.keys(options).length > 0);

test('every step of the table is walked', () => {
  assert.deepEqual(Object.keys(requests).sort(), named.map(({ name }) => name).sort());
});

describe('a batch with two steps works, or is refused by name before anything is asked,', () => {
  for (const [sink, outputOf] of Object.entries(sinks)) {
    test(`into a ${sink}`, async (t) => {
      const { origin } = await loopback(t, (_, response) => {
        response.writeHead(204).end();
      });
      for (const [at, one] of named.entries()) {
        for (const other of named.slice(at + 1)) {
          const output = outputOf();
          const flags = [one, other].flatMap(({ name }) => requests[name]?.(origin) ?? []);
          const args = ['batch', 'shortvideo/video', '-', '--demo', ...flags, ...output];
          const { status, out, err } = await extract(args, { stdin: '7571000000000000101\n' });
          const pair = `${one.name} and ${other.name}: ${err}`;
          if (status === 2) {
            assert.ok(
              flags.some((flag) => flag.startsWith('--') && err.includes(flag)),
              pair,
            );
            assert.equal(out, '', pair);
            assert.equal(output[1] !== undefined && existsSync(output[1]), false, pair);
          } else {
            assert.equal(status, 0, pair);
            assert.ok(output[1] === undefined ? out !== '' : existsSync(output[1]), pair);
          }
        }
      }
    });
  }
});
