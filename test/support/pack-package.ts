import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';

/** Packs the package as it was built, or after a build, into a folder. Returns the path of the packed file. */
export async function packPackage(folder: string, isBuilt = true): Promise<string> {
  const scripts = isBuilt ? ['--ignore-scripts'] : [];
  const pack = ['pack', '--json', ...scripts, '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', pack, { cwd: packageRoot() });
  // A build may print; the report is the last JSON. npm 12 names the packages that it packed, npm 11 lists them.
  const report: unknown = JSON.parse(stdout.slice(Math.max(0, stdout.search(/^[[{]$/m))));
  const [{ filename }] = Object.values(report as object) as [{ filename: string }];
  return path.join(folder, filename);
}
