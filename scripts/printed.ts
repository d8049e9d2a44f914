import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { endpoints } from '../lib/endpoints.js';
import { createExtractor } from '../lib/extractor.js';
import { readProgramSettings } from '../src/config/program-config.js';
import type { OutputStream } from '../src/faces/cli/context.js';
import { run } from '../src/faces/cli/run.js';

/**
 * Returns the output of a command, for documentation. It runs in an empty data directory, without colours, and with a
 * fixed id and time.
 */
export async function printObjects(
  args: readonly string[],
  { tty, columns }: { tty: boolean; columns: number },
): Promise<string> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'extract-readme-'));
  let text = '';
  const sink = (keep: boolean): OutputStream => ({
    isTTY: tty,
    columns: tty ? columns : undefined,
    write: async (part) => {
      if (keep) text += part;
    },
  });
  try {
    await run(args, {
      endpoints,
      askSecret: async () => '',
      stdin: () => ({ chunks: Readable.from([]), size: 0, close: async () => undefined }),
      stdout: sink(true),
      stderr: sink(tty),
      settings: readProgramSettings({ NO_COLOR: '1' }),
      signal: new AbortController().signal,
      openExtractor: async (config) => createExtractor({ ...config, home }),
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return text
    .replace(/req_[0-9A-Z]{26}/g, 'req_01K9A2B3C4D5E6F7G8H9J0K1M2')
    .replace(/"fetched_at":"[^"]+"/g, '"fetched_at":"2026-11-05T12:00:00.000Z"');
}
