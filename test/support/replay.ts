import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';

const shared = path.join(packageRoot(), '..', 'shared');
const program = path.join(shared, 'replay', 'replay.mjs');
const captures = path.join(shared, 'captures');

/** The `skip` option of a test: the reason if there are no real captures next to the checkout, else false. */
export function withoutCaptures(): string | false {
  return existsSync(program) && existsSync(captures)
    ? false
    : 'the real captures are not beside this checkout';
}

/** One answer of the replaying proxy: `capture` is a file below the captures folder, `body` a text. */
export interface ReplayRoute {
  readonly url: string;
  readonly capture?: string;
  readonly body?: string;
  readonly method?: string;
  readonly requestBody?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly times?: number;
}

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The content of a data script put back into a page. */
export function dataPage(id: string, json: string): string {
  return `<!DOCTYPE html><html><head></head><body><script id="${id}" type="application/json">${json}</script></body></html>`;
}

/**
 * Runs the command in a separate process with an empty data directory and no pace. Real captures answer instead of the
 * platform's hosts.
 */
export async function replay(routes: readonly ReplayRoute[], args: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-replay-'));
  try {
    symlinkSync(captures, path.join(folder, 'captures'));
    const rows = routes.map(({ capture, body, ...route }, index) => {
      if (capture !== undefined) return { ...route, file: path.join('captures', capture) };
      const file = `body-${index}`;
      writeFileSync(path.join(folder, file), body ?? '');
      return { ...route, file };
    });
    writeFileSync(path.join(folder, 'routes.json'), JSON.stringify(rows));
    const command = [path.join(packageRoot(), 'bin', 'extract.js'), ...args];
    const child = spawn(
      process.execPath,
      [program, '--routes', path.join(folder, 'routes.json'), '--', process.execPath, ...command],
      {
        env: {
          ...process.env,
          EXTRACT_HOME: path.join(folder, 'home'),
          EXTRACT_PACE_MS: '0',
          EXTRACT_COOLDOWN_MS: '0',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
