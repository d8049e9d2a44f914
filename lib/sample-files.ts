import path from 'node:path';
import { packageRoot } from './runtime/package-root.js';
import { bodyTooLarge } from './web/page.js';
import { type ReadBody, readPageFile } from './web/page-file.js';

const files = new Map<string, Uint8Array>();

/**
 * Reads a file of an endpoint's samples, once. A checkout has them in `fixtures/`. The build replaces this module with
 * one that holds their texts, because a program that bundles the library has no such folder.
 */
export function sampleFiles(endpointPath: string): ReadBody {
  const folder = path.join(packageRoot(), 'fixtures', endpointPath);
  return async (file, maxBytes) => {
    const name = path.join(folder, file);
    const body = files.get(name) ?? (await readPageFile(folder, file, maxBytes));
    if (body.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    files.set(name, body);
    return body;
  };
}
