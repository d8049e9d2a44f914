import { execFile } from 'node:child_process';

/** Compares versions such as `1.2.3`, with an optional leading `v` and suffix. */
export function isAtLeast(version: string, floor: string): boolean {
  const numbers = (text: string) => (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  const [one, other] = [numbers(version), numbers(floor)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const npmTimeoutMs = 5_000;

/** Returns the latest version according to npm, with the user's registry and proxy; null if npm cannot tell. */
export function latestVersion(): Promise<string | null> {
  return new Promise((resolve) => {
    const args = ['view', 'public-extract', 'version', '--fetch-retries=0', '--loglevel=silent'];
    execFile('npm', args, { timeout: npmTimeoutMs, shell: process.platform === 'win32' }, (error, stdout) => {
      const version = stdout.trim();
      resolve(error === null && /^\d+\.\d+\.\d+/.test(version) ? version : null);
    });
  });
}
