import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { resumeCommand } from '../../../../src/faces/cli/batch/batch-options.js';

const resumed = (...rawArgs: string[]) => resumeCommand({ parent: null, rawArgs } as unknown as Command);

describe('the command that takes a batch up', () => {
  test('is the same without --overwrite, with --resume', () => {
    assert.equal(resumed('batch', 'maps/place', 'in', '--overwrite'), 'extract batch maps/place in --resume');
    assert.equal(resumed('batch', 'x', '--retry-failed'), 'extract batch x --retry-failed');
  });

  test('has its options before “--”, behind which nothing is one', () => {
    assert.equal(
      resumed('batch', '-o', 'x', '--', 'maps/place', '-in'),
      'extract batch -o x --resume -- maps/place -in',
    );
  });
});
