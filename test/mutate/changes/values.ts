import type { TouchedJson } from '../touched.js';
import type { Change } from './change.js';
import { eachHolder, inPage, type Path } from './json.js';

type Holder = Record<string | number, unknown>;

const numberOf = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)) ? Number(value) : null;

/** The same count, or the same as a page rounds it. */
const areTwins = (one: number, other: number) =>
  one === other || (one >= 1000 && Math.abs(one - other) <= one * 0.05);

const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/**
 * Sets each number that occurs twice to 0 in one place, and writes each number within a text in the digits of another
 * script.
 */
export function valueChanges(page: string, { json, paths }: TouchedJson): Change[] {
  const put = inPage(page, json);
  if (put === null) return [];
  const numbers = paths.flatMap((path) => {
    const values: unknown[] = [];
    eachHolder(JSON.parse(json), path, (holder, step) => values.push((holder as Holder)[step]));
    const value = values.find((one) => numberOf(one) !== null);
    return value === undefined ? [] : [{ path, value, number: numberOf(value) ?? 0 }];
  });
  const changed = (path: Path, become: (value: unknown) => unknown) => () => {
    const tree: unknown = JSON.parse(json);
    eachHolder(tree, path, (holder, step) => {
      const values = holder as Holder;
      if (numberOf(values[step]) !== null) values[step] = become(values[step]);
    });
    return put(JSON.stringify(tree));
  };
  return numbers.flatMap(({ path, value, number }): Change[] => [
    ...(number > 99 && numbers.some((one) => one.path !== path && areTwins(number, one.number))
      ? [
          {
            kind: 'twins' as const,
            what: path.join('.'),
            text: changed(path, (one) => (typeof one === 'string' ? '0' : 0)),
          },
        ]
      : []),
    ...(typeof value === 'string' && number > 9
      ? [
          {
            kind: 'digits' as const,
            what: path.join('.'),
            text: changed(path, (one) => (typeof one === 'string' ? arabic(one) : one)),
          },
        ]
      : []),
  ]);
}
