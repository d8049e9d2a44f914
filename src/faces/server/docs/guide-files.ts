import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../../lib/runtime/package-root.js';

/**
 * The text of a guide. A checkout has them as files in `docs/`, where people read them too. The build replaces this
 * module by one that holds the texts.
 */
export function guideText(name: string): string {
  return readFileSync(path.join(packageRoot(), 'docs', `${name}.md`), 'utf8');
}
