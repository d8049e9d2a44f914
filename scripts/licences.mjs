// Packages whose code is in the bundles require their licences to be included.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

async function licenceOf(folder) {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const text = name === undefined ? '' : (await readFile(path.join(folder, name), 'utf8')).trim();
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
}

/** Writes the licences of the given modules' packages to one file. */
export async function writeLicences(modules, file) {
  const folders = new Set(modules.flatMap((id) => packageFolder.exec(id)?.[1] ?? []));
  const notices = await Promise.all([...folders].sort().map(licenceOf));
  const rule = `\n${'-'.repeat(80)}\n\n`;
  await writeFile(
    file,
    ['The files in this folder contain code of these packages.\n', ...notices].join(rule),
  );
}
