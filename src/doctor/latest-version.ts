import { execFile } from 'node:child_process';

const limitMs = 5_000;

/** The latest version, as npm knows it with the user's own registry and proxy; null where npm cannot tell. */
export function latestVersion(): Promise<string | null> {
  return new Promise((resolve) => {
    const args = ['view', 'public-extract', 'version', '--fetch-retries=0', '--loglevel=silent'];
    execFile('npm', args, { timeout: limitMs, shell: process.platform === 'win32' }, (error, stdout) => {
      const version = stdout.trim();
      resolve(error === null && /^\d+\.\d+\.\d+/.test(version) ? version : null);
    });
  });
}
