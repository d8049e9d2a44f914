import assert from 'node:assert/strict';
import type { Command } from 'commander';
import { endpoints } from '../../lib/endpoints.js';
import { readProgramSettings } from '../../src/config/program-config.js';
import { buildProgram } from '../../src/faces/cli/program.js';

const sink = { isTTY: false, columns: undefined, write: async () => undefined };

/** The program, with the commands that the arguments lead to; null for all of them. Nothing is run. */
export function programFor(args: readonly string[] | null): Promise<Command> {
  return buildProgram(
    {
      endpoints,
      askSecret: async () => '',
      stdin: () => assert.fail('nothing is run'),
      stdout: sink,
      stderr: sink,
      settings: readProgramSettings({ NO_COLOR: '1' }),
      signal: new AbortController().signal,
      openExtractor: () => assert.fail('nothing is run'),
    },
    args,
  );
}
