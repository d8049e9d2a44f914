import path from 'node:path';
import type { Endpoint } from '../../lib/endpoint.js';
import { packageRoot } from '../../lib/runtime/package-root.js';

/** Folder of an endpoint's fixtures. */
export function fixturesOf(endpoint: Pick<Endpoint, 'path'>): string {
  return path.join(packageRoot(), 'fixtures', endpoint.path);
}
