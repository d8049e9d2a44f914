import type { TouchedJson } from '../touched.js';
import type { Change, Kind } from './change.js';
import { changerOf, eachHolder, replaceAt } from './json.js';

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
  const changed = changerOf(page, json);
  if (changed === null) return [];
  const numbers = paths.flatMap((path) => {
    const values: unknown[] = [];
    eachHolder(JSON.parse(json), path, (holder, step) => values.push((holder as Holder)[step]));
    const value = values.find((one) => numberOf(one) !== null);
    return value === undefined ? [] : [{ path, value, number: numberOf(value) ?? 0 }];
  });
  return numbers.flatMap(({ path, value, number }): Change[] => {
    const change = (kind: Kind, become: (value: unknown) => unknown): Change => ({
      ...{ kind, what: path.join('.') },
      text: changed(replaceAt(path, (one) => (numberOf(one) === null ? one : become(one)))),
    });
    const isTwin = numbers.some((one) => one.path !== path && areTwins(number, one.number));
    return [
      ...(number > 99 && isTwin ? [change('twins', (one) => (typeof one === 'string' ? '0' : 0))] : []),
      ...(typeof value === 'string' && number > 9
        ? [change('digits', (one) => (typeof one === 'string' ? arabic(one) : one))]
        : []),
    ];
  });
}
