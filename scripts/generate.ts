// Writes the generated parts of README.md and docs/ (between `<!-- begin NAME -->` and `<!-- end NAME -->`), the
// terminal recording, the modules of the Python client and of the n8n node derived from the table, and the screens
// compared by test/faces/cli/view/screens.slow.test.ts. Review the changes. With --check it writes nothing and fails if
// anything is out of date.
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
