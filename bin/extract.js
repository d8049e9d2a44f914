#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// An import of it would have Node load streams, which `--version` does without. A Node.js too old has no such call.
const { existsSync } = process.getBuiltinModule?.('node:fs') ?? (await import('node:fs'));

const needed = [22, 19, 0];
const running = process.versions.node.split('.').map(Number);

/** True when the running version is older than the one needed, part by part. */
function isOlder() {
  const part = needed.findIndex((number, at) => number !== running[at]);
  return part >= 0 && running[part] < needed[part];
}

/** The Node.js that a checkout brings along, as its own machine's may be too old. */
const ownNode = new URL(
  process.platform === 'win32' ? '../node_modules/node/bin/node.exe' : '../node_modules/node/bin/node',
  import.meta.url,
);

/** Runs this program again with the checkout's Node.js, and ends as it does. */
async function handOver() {
  const { spawn } = await import('node:child_process');
  let child;
  // A terminal sends its interrupt to both processes; passed on, it would be the second one.
  const fromTerminal = process.stdin.isTTY === true || process.stdout.isTTY === true;
  process.on('SIGINT', () => fromTerminal || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  child = spawn(fileURLToPath(ownNode), args, { stdio: 'inherit' });
  child.on('error', (error) => fail(`The checkout's Node.js could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
    } else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

/** Why the program could not start, in words for who started it. */
function reasonOf({ code, message }) {
  // Node.js gives its own reading of packages no code of the system.
  if (code !== 'EMFILE' && code !== 'ENFILE' && !/too many open files/.test(message)) return message;
  return `this process may open too few files. Raise the limit, such as “ulimit -n 1024”, and start it again.`;
}

/** Built code if there is some, else the sources, which need the tools of a checkout. */
async function start() {
  // Deno has no such cache.
  process.getBuiltinModule('node:module').enableCompileCache?.();
  const built = new URL('../dist/src/faces/cli/main.js', import.meta.url);
  if (existsSync(built)) return import(built.href);
  const tsx = await import('tsx/esm/api').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  });
  if (tsx === undefined) {
    throw new Error(
      'There is no built code and no tsx to run the sources: run “npm ci” and “npm run build”.',
    );
  }
  // Not the one of the folder that it is started in.
  tsx.register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
  return import('../src/faces/cli/main.ts');
}

if (!isOlder()) {
  start()
    .then(({ main }) => main())
    .catch((error) => {
      fail(process.env.EXTRACT_DEBUG ? error : `extract could not start: ${reasonOf(error)}`);
    });
} else if (existsSync(ownNode)) {
  handOver();
} else {
  fail(
    `extract needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.\n` +
      'Install a current one from https://nodejs.org or with your version manager (“nvm install 24”), or run this once\n' +
      'with “npx -y -p node@24 -p public-extract extract …”. In a checkout “npm ci” brings one along.',
  );
}
