// Marks the functions that calls run, in the files of a build. V8 compiles a parenthesised function with its file, and
// Node.js stores it in its compile cache. All others are compiled again in every process.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/** A call of each platform. */
const calls = [
  'maps places bakery',
  'photosocial profile nasa',
  'pronetwork profile nasa',
  'shortvideo profile nasa',
];

/** Runs a demo call of the build in `folder`, with V8 writing its coverage to `workFolder`. */
function runCall(call, folder, workFolder) {
  const main = pathToFileURL(path.join(folder, 'src', 'faces', 'cli', 'main.js'));
  const program = ['--input-type=module', '--eval', `(await import('${main}')).main()`, 'extract'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...program, ...call.split(' '), '--demo', '--json'],
    {
      env: {
        NODE_V8_COVERAGE: path.join(workFolder, 'coverage'),
        EXTRACT_HOME: path.join(workFolder, 'home'),
      },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${call} ended with ${status}: ${stderr}`);
}

/** Returns, by file of the build, the start and end of each function that ran. */
function rangesThatRan(folder) {
  const workFolder = mkdtempSync(path.join(os.tmpdir(), 'extract-ran-'));
  try {
    for (const call of calls) runCall(call, folder, workFolder);
    const coverage = path.join(workFolder, 'coverage');
    const ran = new Map();
    for (const name of readdirSync(coverage)) {
      const { result } = JSON.parse(readFileSync(path.join(coverage, name), 'utf8'));
      for (const { url, functions } of result) {
        if (!url.startsWith(pathToFileURL(folder).href)) continue;
        const ranges = ran.get(url) ?? new Set();
        ran.set(url, ranges);
        for (const {
          ranges: [{ startOffset, endOffset, count }],
        } of functions) {
          if (count > 0) ranges.add(`${startOffset}-${endOffset}`);
        }
      }
    }
    return ran;
  } finally {
    rmSync(workFolder, { recursive: true });
  }
}

/** Returns `code` with the functions marked whose node satisfies `isMarked`. */
function withEagerFunctions(code, isMarked) {
  const program = parseAst(code);
  const marked = [];
  const mark = (node) => {
    // A method cannot be parenthesised. V8 always compiles an async arrow function lazily.
    const isMethod = node.type === 'FunctionExpression' && code[node.start] === '(';
    const isLate = node.type === 'ArrowFunctionExpression' && node.async;
    if (isMethod || isLate || !isMarked(node)) return;
    marked.push(node);
  };
  new Visitor({ FunctionExpression: mark, ArrowFunctionExpression: mark }).visit(program);
  const textOf = (start, end) => {
    const inside = marked.filter((node) => node.start >= start && node.end <= end);
    const signs = inside.flatMap((node) => [
      { at: node.start, sign: '(' },
      { at: node.end, sign: ')' },
    ]);
    let [text, from] = ['', start];
    for (const { at, sign } of signs.sort((a, b) => a.at - b.at)) {
      text += code.slice(from, at) + sign;
      from = at;
    }
    return text + code.slice(from, end);
  };
  const isHoisted = (node) => node.type === 'FunctionDeclaration' && isMarked(node);
  // A declaration is not an expression. As a variable it precedes everything that may call it.
  const hoisted = program.body.filter(isHoisted).map(({ async, generator, id, end }) => {
    const kind = `${async ? 'async ' : ''}function${generator ? '*' : ''}`;
    return `var ${id.name}=(${kind}${textOf(id.end, end)});`;
  });
  const rest = program.body.filter((node) => !isHoisted(node)).map(({ start, end }) => textOf(start, end));
  return [...hoisted, ...rest].join('\n');
}

/**
 * Marks the functions that demo calls run. Takes a ninth off the processor time of such a call (Node 24, 2026-11).
 * Marking all functions would save nothing, because V8 would also read unused ones from the cache.
 */
export function markEagerFunctions(folder) {
  for (const [url, ranges] of rangesThatRan(folder)) {
    const file = fileURLToPath(url);
    const code = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      withEagerFunctions(code, ({ start, end }) => ranges.has(`${start}-${end}`)),
    );
  }
}
