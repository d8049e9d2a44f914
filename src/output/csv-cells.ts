/** The signs that a spreadsheet takes for a formula; some settings read the full-width signs as the narrow ones. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
/** Apostrophes before such a sign. */
const escaped = /^'+[=+\-@\t\r\n＝＋－＠]/;
const number = /^[+-]?(\d[\d,.]*|\.\d+)(e[+-]?\d+)?%?$/i;
/** An international number, in groups as people write them. */
const phone = /^\+\d[\d\s().\-/]{4,30}$/;

/** True for text that a spreadsheet would run. */
export const isFormula = (text: string) => formula.test(text) && !number.test(text) && !phone.test(text);

/**
 * Text that a spreadsheet would run is opened by an apostrophe, which it takes as “this is text”. Text that has one of its
 * own gets another, so that each can be read back.
 */
const escapeFormula = (text: string) => (isFormula(text) || escaped.test(text) ? `'${text}` : text);

/** The reverse of `escapeFormula`. */
export const unescapeFormula = (text: string) => (escaped.test(text) ? text.slice(1) : text);

/** A value as csv-stringify is to take it: lists and free-form objects as JSON text. */
export function cell(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The separator of cells that Excel expects: it goes by the system's locale, and a file cannot say. */
export const excelSeparators = ['comma', 'semicolon'] as const;
export type ExcelSeparator = (typeof excelSeparators)[number];

/** How lines of cells are written. */
export interface CsvStyle {
  /** Text is written as it is, formula or not. */
  readonly raw?: boolean | undefined;
  /** For Excel, with a byte order mark, by which it knows UTF-8. Left out for everything else that reads CSV. */
  readonly excel?: ExcelSeparator | undefined;
  /** Separated by tabs. */
  readonly tabs?: boolean | undefined;
}

/** The bytes before a file's first line. */
export const csvMark = ({ excel }: CsvStyle) => (excel === undefined ? '' : '\ufeff');

/** Where cells are separated by semicolons, a comma stands before decimals: `4.5` would be read as a day of May. */
const withDecimalComma = (value: number) => String(value).replace('.', ',');

/** The character that separates the cells of a table: the most frequent one of its header. */
export function separatorOf(header: string): ',' | ';' | '\t' {
  const counts = ([',', ';', '\t'] as const).map((one) => ({ one, count: header.split(one).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

/** The separator that Excel's own first line names (`sep=;`), which is no row; undefined for any other line. */
export const namedSeparator = (line: string): string | undefined => /^"?sep=(.)"?\s*$/i.exec(line)?.[1];

/** How lines of cells become CSV, wherever they come from. */
export function csvOptions({ raw = false, excel, tabs = false }: CsvStyle) {
  const isSemicolon = excel === 'semicolon';
  return {
    delimiter: tabs ? '\t' : isSemicolon ? ';' : ',',
    cast: {
      boolean: String,
      ...(raw ? {} : { string: escapeFormula }),
      ...(isSemicolon ? { number: withDecimalComma } : {}),
    },
    quoted_match: /[\r\n]/,
  };
}
