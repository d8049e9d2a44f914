// Writes the generated parts of README.md: what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
// With --check it writes nothing and fails where a part is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from './readme-parts.js';

const file = path.join(packageRoot(), 'README.md');
const before = readFileSync(file, 'utf8');
const after = replaceParts(before, await generatedParts());
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('README.md is not as generated; run `npm run generate`.');
    process.exit(1);
  }
} else writeFileSync(file, after);
