import { endpoints } from '../lib/endpoints.js';
import { casesOf } from '../lib/samples.js';
import { kebabCase } from '../src/output/shell-words.js';
import { printObjects } from './printed.js';

/** Terminal widths: narrow, typical, and wide. */
export const screenWidths = [80, 120, 200] as const;

/** Returns the arguments of an endpoint's demo: its first sample. */
export async function demoArguments(path: string): Promise<string[]> {
  const endpoint = endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`There is no endpoint ${path}`);
  const [sample] = await casesOf(endpoint);
  const params = Object.entries(sample?.params ?? {});
  return [
    ...path.split('/'),
    ...params.flatMap(([name, value]) => [`--${kebabCase(name)}`, String(value)]),
    '--demo',
  ];
}

const commands = async (): Promise<readonly (readonly [file: string, args: readonly string[]])[]> => [
  ...(await Promise.all(
    endpoints.map(async ({ path }) => [path.replace('/', '-'), await demoArguments(path)] as const),
  )),
  ['endpoints', ['endpoints']],
];

/** Returns the screens of commands on terminals of each width, by file. */
export async function screens(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [file, args] of await commands()) {
    const parts: string[] = [];
    for (const columns of screenWidths) {
      parts.push(`== ${columns} columns\n${await printObjects(args, { tty: true, columns })}`);
    }
    files[`test/faces/cli/view/screens/${file}.txt`] = parts.join('\n');
  }
  return files;
}
