import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openJournal } from '../../src/files/batch-files/run-journal.js';
import type { Line } from '../../src/lines/line.js';
import type { SeenObservation } from '../../src/lines/memory/seen.js';
import type { StartedRun } from '../../src/lines/step.js';
import { onlyNew } from '../../src/lines/steps/only-new.js';
import { harbours as endpoint, sourcesOf } from '../support/invented-rows.js';
import { testPorts } from '../support/step-ports.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const planned = {
  ...({ kind: 'batch', endpoint, isForeign: false, all: false, output: null } as const),
  nameOf: (option: string) => `--${option}`,
};
const lineOf = (index: number): Line => {
  const query = ['a', 'b', 'c'][index] ?? '';
  const item = { index, params: { query }, echo: '{}', fault: null };
  return { item, json: JSON.stringify([{ name: query }]), sources: sourcesOf([query]), error: null };
};

describe('--new in a run that is killed', () => {
  test('remembers the lines that were safe and not remembered yet, and no others', async () => {
    const remembered: string[] = [];
    const file = path.join(temporaryFolder(), 'harbours.ndjson.new');
    const open = async (values: object = {}) => {
      const step = await onlyNew.request({ new: 'calm', ...values }, planned)?.open(
        testPorts(endpoint, {
          seenMemory: async () => ({
            lookUp: async (observation) => ({
              state: { subject: null, objects: new Map(), appearances: new Map() },
              observation,
            }),
            remember: async (seen: readonly SeenObservation[]) => {
              remembered.push(...seen.map(({ observation }) => observation.label));
            },
            close: async () => {},
          }),
          journal: (_, { writtenInputs: reached }, onKnown, isOptional) =>
            openJournal(file, reached, onKnown, isOptional),
        }),
      );
      assert.ok(step !== undefined);
      return step;
    };
    const run = (writtenInputs: number): StartedRun => {
      return { id: 'r', writtenInputs, isResumable: true, retries: false };
    };

    const killed = await open();
    await killed.begin(run(0));
    await killed.apply(lineOf(0));
    await killed.saved(1);
    for (const index of [1, 2]) await killed.apply(lineOf(index));
    assert.deepEqual(remembered.splice(0), ['a']);
    // The checkpoint had two lines when the process was killed.
    await killed.close();

    const resumed = await open();
    await resumed.begin(run(2));
    assert.deepEqual(remembered.splice(0), ['b']);
    await resumed.apply(lineOf(2));
    await resumed.saved(3);
    assert.deepEqual(remembered.splice(0), ['c']);
    await resumed.end({ finished: true, error: null });
    await resumed.close();
    assert.equal(existsSync(file), false);

    // A run of an earlier version has no journal.
    const earlier = await open();
    await earlier.begin(run(2));
    await earlier.close();
    assert.deepEqual(remembered, []);

    const pseudonymous = await open({ pseudonymise: 'author' });
    await pseudonymous.begin(run(0));
    await pseudonymous.apply(lineOf(0));
    await pseudonymous.close();
    assert.equal(readFileSync(file, 'utf8'), '');
  });
});
