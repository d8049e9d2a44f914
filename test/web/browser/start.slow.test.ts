import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { BrowserProcess } from '../../../lib/web/browser/browser-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

/** A program that says nothing, as a browser that hangs while it starts, and the file by which it tells that it runs. */
function silentProgram(): { readonly program: string; readonly sign: string } {
  const [program, sign] = [path.join(folder, 'silent'), path.join(folder, 'runs')];
  writeFileSync(program, `#!/bin/sh\ntouch '${sign}'\nexec sleep 60\n`);
  chmodSync(program, 0o700);
  return { program, sign };
}

const processOf = (file: string, args: () => Promise<string[]> = async () => []) =>
  new BrowserProcess(
    { path: file, sandbox: false, headed: false, proxy: null, arguments: args },
    systemClock,
    0,
  );

describe('a browser that does not start', { skip: process.platform === 'win32' }, () => {
  test('does not delay a caller that leaves meanwhile', { timeout: 20_000 }, async () => {
    const { program, sign } = silentProgram();
    const running = processOf(program);
    const using = running.use();
    using.catch(() => undefined);
    while (!existsSync(sign)) await setTimeout(10);
    await running.close();
    await assert.rejects(using, { code: 'platform_unavailable' });
  });

  test('reports a known fault by name', async () => {
    const fault = new ExtractError('platform_unavailable', 'The settings are wrong.', { next: '' });
    const running = processOf('/nowhere/chromium', async () => {
      throw fault;
    });
    await assert.rejects(running.use(), fault);
    await running.close();
  });
});
