import { version } from '../../../lib/runtime/version.js';

/** Runs the command of this process, and sets its exit status. */
export async function main(): Promise<void> {
  const args = process.argv.slice(2);
  // Scripts call this often, so it answers before other modules load.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  if (
    args.length === 2 &&
    args.includes('--verbose') &&
    args.some((arg) => arg === '--version' || arg === '-V')
  ) {
    const { versionDetails } = await import('../doctor/version-details.js');
    process.stdout.write(await versionDetails());
    return;
  }
  const { runProcess } = await import('./process.js');
  process.exitCode = await runProcess(args);
}
