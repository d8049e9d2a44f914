// Bundles a program into one file of what every run needs, and files of what is imported when it is needed.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

// Bundled CommonJS asks for Node's own modules this way.
const requireOfNode =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);\n";

const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // Identifiers stay: shorter ones start no faster, and a stack can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  logLevel: 'warning',
};

/** Bundles an entry of no weight into one file. Gives no inputs: there is nothing of others in it. */
export async function small({ root, entry, outdir, external }) {
  await build({ ...shared, absWorkingDir: root, entryPoints: [entry], outdir, external, write: true });
  return [];
}

/** Outputs that are loaded whenever `entry` is, itself included. */
function loadedWith(entry, outputs) {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { path: imported, kind, external } of outputs[file].imports) {
      if (kind === 'import-statement' && external !== true) loaded.add(imported);
    }
  }
  return [...loaded];
}

async function put(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, /typeof require\b/.test(text) ? requireOfNode + text : text);
}

/**
 * Bundles `entry` into `outdir`. A bundler that splits makes a file of each set of modules that some import in the
 * same way, twenty small ones on the way of one call, and opening them costs more than what is in them. So those that
 * are always loaded together are joined in `chunks/core.js`; where others import one of them, it only passes on
 * what the core has. Gives the paths of the inputs that came in.
 */
export async function bundle({ root, entry, outdir, plugins, define }) {
  const split = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    plugins,
    define,
  });
  const { outputs } = split.metafile;
  const texts = new Map(split.outputFiles.map(({ path: file, text }) => [path.relative(root, file), text]));
  const start = Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
  const always = loadedWith(start, outputs);
  const core = path.join(outdir, 'chunks', 'core.js');

  const alias = (file, name) => `c${always.indexOf(file)}_${name}`;
  const exportsOf = (file, each) => `export{${outputs[file].exports.map(each).join(',')}}from`;
  const together = {
    name: 'together',
    setup(plugins_) {
      plugins_.onResolve({ filter: /.*/ }, ({ path: name, importer, kind }) => {
        if (kind === 'entry-point') return { path: name, namespace: 'core' };
        if (!name.startsWith('.')) return { path: name, external: true };
        const file = path.join(path.dirname(importer), name);
        if (always.includes(file)) return { path: file, namespace: 'output' };
        return { path: `./${path.relative(path.dirname(core), file)}`, external: true };
      });
      plugins_.onLoad({ filter: /.*/, namespace: 'output' }, ({ path: file }) => ({
        contents: texts.get(file),
      }));
      plugins_.onLoad({ filter: /.*/, namespace: 'core' }, () => ({
        contents: always
          .map(
            (file) =>
              `${exportsOf(file, (name) => `${name} as ${alias(file, name)}`)}"./${path.relative(path.dirname(core), file)}";`,
          )
          .join('\n'),
      }));
    },
  };
  const joined = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: [core],
    outfile: core,
    plugins: [together],
  });

  const { text } = joined.outputFiles[0];
  const foreign = /.{0,40}[^\0-\x7f]/.exec(text)?.[0];
  // One such character, and V8 keeps the whole file in twice the memory; texts are escaped, regular expressions not.
  if (foreign !== undefined) throw new Error(`Write this in ASCII, as \\u….: ${foreign}`);
  await put(path.join(root, core), text);
  await Promise.all(
    [...texts].map(([file, text]) => {
      const from = `./${path.relative(path.dirname(file), core)}`;
      const passedOn = `${exportsOf(file, (name) => `${alias(file, name)} as ${name}`)}"${from}";\n`;
      return put(path.join(root, file), always.includes(file) ? passedOn : text);
    }),
  );
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  );
}
