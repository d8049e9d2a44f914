import { dayMs } from '../../../../lib/runtime/clock.js';
/** Excel's limit for a cell's text, in UTF-16 units. */
export const maxCellLength = 32_767;
/** Excel's limit for the address of a link. */
const maxLinkLength = 2_079;

/** Cell styles, by their index in the workbook. */
export const styles = { plain: 0, heading: 1, time: 2, link: 3, grouped: 4 } as const;

/** From here on whole numbers have thousands separators; years are below. */
const grouped = 10_000;

const numberStyle = (value: number) =>
  Number.isInteger(value) && Math.abs(value) >= grouped ? ` s="${styles.grouped}"` : '';

// Matches characters that XML 1.0 does not allow, and text that the format would read as such an escape.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafe = /[&<>"\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\r]|_(?=x[\dA-Fa-f]{4}_)/g;

function escapeCharacter(character: string): string {
  switch (character) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    case '_':
      return '_x005F_';
    default:
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  }
}

export function xmlText(text: string): string {
  return text.toWellFormed().replace(unsafe, escapeCharacter);
}

/** 0 → A, 26 → AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

export function textCell(reference: string, text: string, style: number): string {
  const cut = text.length > maxCellLength ? text.slice(0, maxCellLength) : text;
  const styled = style === styles.plain ? '' : ` s="${style}"`;
  return `<c r="${reference}"${styled} t="inlineStr"><is><t xml:space="preserve">${xmlText(cut)}</t></is></c>`;
}

/** Day 0 of spreadsheets, in days relative to 1970. */
const epochDays = 25_569;

/** Converts a time to a spreadsheet's serial number, in UTC. Null for an invalid text, or one before day 0. */
function serialTime(text: string): number | null {
  if (!/^\d{4}-/.test(text)) return null;
  const time = Date.parse(text);
  const serial = time / dayMs + epochDays;
  if (!(serial >= 61)) return null;
  // Rounded up, because readers truncate fractions of a millisecond.
  return (serial - epochDays) * dayMs < time ? serial * (1 + Number.EPSILON) : serial;
}

/** Formats a typed cell; strings stay strings, even if they are digits. */
export function valueCell(reference: string, value: unknown, isTime: boolean): string {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? `<c r="${reference}"${numberStyle(value)}><v>${value}</v></c>` : '';
    case 'boolean':
      return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
    case 'string': {
      const serial = isTime ? serialTime(value) : null;
      return serial === null
        ? textCell(reference, value, styles.plain)
        : `<c r="${reference}" s="${styles.time}"><v>${serial}</v></c>`;
    }
    default:
      return value === null || value === undefined
        ? ''
        : textCell(reference, JSON.stringify(value), styles.plain);
  }
}

export function isLink(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maxLinkLength &&
    /^https?:\/\/\S+$/i.test(value) &&
    URL.canParse(value)
  );
}
