// Writes the generated parts of README.md and docs/ (what stands between `<!-- begin NAME -->` and `<!-- end NAME
// -->`), the recording of a terminal, and the modules of the Python client and of the n8n node that follow from the table. Writes the screens that test/faces/cli/view/screens.slow.test.ts compares. Read over what changed. With --check it writes
// nothing and fails where something is not what it would write.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../lib/runtime/package-root.js';
import { n8nNode } from './n8n-node.js';
import { pythonClient } from './python-client.js';
import { generatedParts, replaceParts } from './readme-parts.js';
import { recording } from './recording.js';
import { screens } from './screens.js';

const texts = Object.entries(await generatedParts()).map(([name, parts]) => {
  return [name, replaceParts(readFileSync(path.join(packageRoot(), name), 'utf8'), parts)] as const;
});

const files = [
  ...texts,
  ...Object.entries(await screens()),
  ...Object.entries(pythonClient()),
  ...Object.entries(n8nNode()),
  ['docs/terminal.svg', await recording()] as const,
];
for (const [name, after] of files) {
  const file = path.join(packageRoot(), name);
  if (existsSync(file) && readFileSync(file, 'utf8') === after) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is not as generated; run \`npm run generate\`.`);
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, after);
  }
}
