// Writes the generated parts of README.md and docs/ (what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`)
// and the screens of the commands that test/cli/view/screens.test.ts compares; read over what changed.
// With --check it writes nothing and fails where something is not what it would write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from './readme-parts.js';
import { screens } from './screens.js';

const texts = Object.entries(await generatedParts()).map(([name, parts]) => {
  return [name, replaceParts(readFileSync(path.join(packageRoot(), name), 'utf8'), parts)] as const;
});

for (const [name, after] of [...texts, ...Object.entries(await screens())]) {
  const file = path.join(packageRoot(), name);
  if (existsSync(file) && readFileSync(file, 'utf8') === after) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is not as generated; run \`npm run generate\`.`);
    process.exitCode = 1;
  } else writeFileSync(file, after);
}
