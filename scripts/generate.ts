// Writes the generated parts of README.md and docs/: what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
// With --check it writes nothing and fails where a part is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from './readme-parts.js';

for (const [name, parts] of Object.entries(await generatedParts())) {
  const file = path.join(packageRoot(), name);
  const before = readFileSync(file, 'utf8');
  const after = replaceParts(before, parts);
  if (after === before) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is not as generated; run \`npm run generate\`.`);
    process.exitCode = 1;
  } else writeFileSync(file, after);
}
