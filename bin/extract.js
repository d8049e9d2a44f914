#!/usr/bin/env node
import { existsSync } from 'node:fs';

const needed = [20, 18, 1];
const running = process.versions.node.split('.').map(Number);

/** True when the running version is older than the one needed, part by part. */
function isOlder() {
  for (let part = 0; part < needed.length; part += 1) {
    if (running[part] !== needed[part]) return running[part] < needed[part];
  }
  return false;
}

/** Built code if there is some, else the sources, which need the tools of a checkout. */
async function start() {
  // Node 22 and newer keep compiled code beside other temporary files, where they can; 20 has no such thing.
  process.getBuiltinModule?.('node:module').enableCompileCache?.();
  const built = new URL('../dist/src/cli/main.js', import.meta.url);
  if (existsSync(built)) return import(built.href);
  const tsx = await import('tsx/esm/api').catch(() => undefined);
  if (tsx === undefined) {
    throw new Error(
      'There is no built code and no tsx to run the sources: run “npm install” and “npm run build”.',
    );
  }
  tsx.register();
  return import('../src/cli/main.ts');
}

if (isOlder()) {
  console.error(`extract needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  start()
    .then(({ main }) => main())
    .catch((error) => {
      console.error(process.env.EXTRACT_DEBUG ? error : `extract could not start: ${error.message}`);
      process.exitCode = 1;
    });
}
