import type { CustomTypesConfig } from 'pg';

/** Types of PostgreSQL that count without end, and so come as text: `int8`, and `numeric` of sums. */
const wholeNumbers: ReadonlySet<number> = new Set([20, 1700]);

/** Throws for what JavaScript does not count exactly: a wrong amount is worse than none. */
function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not counted exactly.`);
  return number;
}

/** How a connection reads what the database sends: whole numbers as numbers, all else as the driver does. */
export function exactNumbers(types: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser(id: number, format?: 'text' | 'binary') {
      // The driver's own type knows the two formats apart; whichever it is, this hands it on.
      return wholeNumbers.has(id) && format !== 'binary'
        ? safeInteger
        : types.getTypeParser(id, format as 'text');
    },
  } as CustomTypesConfig;
}
