import type { TouchedJson } from '../touched.js';
import type { Change } from './change.js';
import { changerOf, eachHolder, type Path, replaceAt } from './json.js';

/** Another subject's page, and what its readers touch. */
export interface Foreign {
  readonly name: string;
  readonly text: string;
  readonly touched: readonly TouchedJson[];
}

type Holder = Record<string | number, unknown>;

/** The rows at a path, of every list there. */
function rowsAt(json: string, path: Path): unknown[] {
  const values: unknown[] = [];
  eachHolder(JSON.parse(json), path, (holder, step) => {
    const rows = (holder as Holder)[step];
    if (Array.isArray(rows)) values.push(...(rows as unknown[]));
  });
  return values;
}

/** Each list of rows twice, and with the rows of another subject behind its own, or instead of them. */
export function rowChanges(
  page: string,
  { json, lists }: TouchedJson,
  foreign: readonly Foreign[],
): Change[] {
  const change = changerOf(page, json);
  if (change === null) return [];
  const changed = (path: Path, become: (rows: unknown[]) => unknown[]) =>
    change(replaceAt(path, (rows) => (Array.isArray(rows) ? become(rows as unknown[]) : rows)));
  return lists
    .filter((path) => path.length > 0)
    .flatMap((path): Change[] => {
      const what = path.join('.');
      // Nested rows have no subject.
      const others = path.includes('*')
        ? []
        : foreign.flatMap(({ name, touched }) => {
            const rows = touched.map((one) => rowsAt(one.json, path)).find(({ length }) => length > 0);
            return rows === undefined ? [] : [{ name, rows }];
          });
      return [
        { kind: 'repeated', what, text: changed(path, (rows) => [...rows, ...rows]) },
        ...others.flatMap(({ name, rows }): Change[] => [
          {
            kind: 'foreign rows',
            what: `${what} before ${name}`,
            text: changed(path, (items) => [...items, ...rows]),
          },
          { kind: 'foreign rows', what: `${what} of ${name}`, text: changed(path, () => rows) },
        ]),
      ];
    });
}

const at = (tree: unknown, [step, ...rest]: Path): unknown =>
  step === undefined || tree === null || typeof tree !== 'object' ? tree : at((tree as Holder)[step], rest);

/** The part that holds most of an answer in JSON, from another subject's. */
export function partChanges(
  page: string,
  { json, paths }: TouchedJson,
  foreign: readonly Foreign[],
): Change[] {
  const changed = changerOf(page, json);
  const isLarge = (path: Path) =>
    path.length > 0 &&
    !path.includes('*') &&
    (JSON.stringify(at(JSON.parse(json), path)) ?? '').length > json.length / 2;
  const path = page.startsWith('<') ? undefined : paths.find(isLarge);
  if (changed === null || path === undefined) return [];
  return foreign.flatMap(({ name, touched }): Change[] => {
    const part = touched
      .map((one) => at(JSON.parse(one.json), path))
      .find((one) => one !== null && typeof one === 'object');
    if (part === undefined) return [];
    const text = changed(replaceAt(path, () => part));
    return [{ kind: 'foreign block', what: `${path.join('.')} of ${name}`, text }];
  });
}

interface Block {
  readonly tag: string;
  readonly from: number;
  readonly to: number;
}

/** The scripts of a page that hold what readers touch, and its JSON-LD. */
function blocksOf({ text, touched }: Pick<Foreign, 'text' | 'touched'>): Block[] {
  return [...text.matchAll(/(<(script|code)\b[^>]*>)([\s\S]*?)<\/\2>/gi)].flatMap(
    ({ 0: match, 1: tag = '', 3: inner = '', index }) =>
      /ld\+json/.test(tag) || touched.some(({ json }) => inner.includes(json.slice(0, 200)))
        ? [{ tag, from: index, to: index + match.length }]
        : [],
  );
}

/** The blocks of data of another subject's page before the own ones, behind them, and instead of them. */
export function blockChanges(
  text: string,
  touched: readonly TouchedJson[],
  foreign: readonly Foreign[],
): Change[] {
  const ownBlocks = blocksOf({ text, touched });
  const at = ownBlocks[0]?.from ?? text.indexOf('</head>');
  if (at < 0) return [];
  const end = ownBlocks.at(-1)?.to ?? at;
  const without = ownBlocks.reduceRight((page, { from, to }) => page.slice(0, from) + page.slice(to), text);
  return foreign.flatMap((other): Change[] => {
    const blocks = blocksOf(other).map(({ from, to }) => other.text.slice(from, to));
    if (blocks.length === 0) return [];
    const added = blocks.join('');
    const change = (where: string, page: () => string): Change => ({
      ...{ kind: 'foreign block', what: `${where} ${other.name}`, text: page },
    });
    return [
      change('behind that of', () => text.slice(0, at) + added + text.slice(at)),
      change('before that of', () => text.slice(0, end) + added + text.slice(end)),
      ...(ownBlocks.length === 0
        ? []
        : [change('that of', () => without.slice(0, at) + added + without.slice(at))]),
    ];
  });
}

/** A list without lists in it. */
const list = /(<ul\b[^>]*>)((?:(?!<\/?ul\b)[\s\S])*)(<\/ul>)/gi;
const ownAddress =
  /(<(?:meta[^>]*property="og:url"[^>]*content|link[^>]*rel="canonical"[^>]*href)="[^"]*)(?=")/gi;

/** The page twice, its lists twice, and its own addresses with a sign behind them. */
export function repeatedChanges(page: string): Change[] {
  if (!/^\s*(?:\uFEFF)?</.test(page)) return [];
  return [
    { kind: 'repeated', what: 'the page', text: () => page + page },
    { kind: 'repeated', what: 'every ul', text: () => page.replace(list, '$1$2$2$3') },
    ...[',', ')', '%2C'].map(
      (sign): Change => ({ kind: 'sign', what: sign, text: () => page.replace(ownAddress, `$1${sign}`) }),
    ),
  ];
}
