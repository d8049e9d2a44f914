import { ExtractError } from './errors/extract-error.js';

/** Where settings are read from: `process.env`, or a test's values. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting's text without the space around it; undefined for one that is empty or not set. */
export function readText(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** A setting's number; undefined for one that is not set. Throws `invalid_parameter`. */
export function readWholeNumber(env: Environment, name: string, min: number): number | undefined {
  const value = readText(env, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d{1,9}$/.test(value) || number < min) {
    throw new ExtractError('invalid_parameter', `The setting ${name} must be a whole number from ${min} up.`);
  }
  return number;
}

/** The boolean that a text means; undefined for a text that means none. */
export function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  return ['false', '0', 'no', 'off'].includes(word) ? false : undefined;
}

/** A setting's boolean. Throws `invalid_parameter`. */
export function readBoolean(env: Environment, name: string, fallback: boolean): boolean {
  const text = readText(env, name);
  const value = text === undefined ? fallback : booleanOf(text);
  if (value !== undefined) return value;
  throw new ExtractError('invalid_parameter', `The setting ${name} must be true or false.`);
}

/** The parts of a text between commas. */
export function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
