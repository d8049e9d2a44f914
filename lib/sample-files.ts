import path from 'node:path';
import { packageRoot } from './runtime/package-root.js';
import { type ReadBody, readPageFile } from './web/page-file.js';

/**
 * Reads a file of an endpoint's samples. A checkout has them as files in `fixtures/`. The build replaces this module by
 * one that holds their texts. A program that bundles the library has no such folder.
 */
export function sampleFiles(endpointPath: string): ReadBody {
  const folder = path.join(packageRoot(), 'fixtures', endpointPath);
  return (file, maxBytes) => readPageFile(folder, file, maxBytes);
}
