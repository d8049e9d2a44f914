import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** A folder for one test file, removed after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'extract-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
