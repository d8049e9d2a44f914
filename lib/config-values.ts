import { ExtractError } from './errors/extract-error.js';

/** Where settings are read from: `process.env`, or what a test gives. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting's text without the space around it; undefined for one that is empty or not set. */
export function set(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** Throws `invalid_parameter`. */
export function whole(env: Environment, name: string, least: number): number | undefined {
  const value = set(env, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d{1,9}$/.test(value) || number < least) {
    throw new ExtractError(
      'invalid_parameter',
      `The setting ${name} must be a whole number from ${least} up.`,
    );
  }
  return number;
}

/** Throws `invalid_parameter`. */
export function truth(env: Environment, name: string, fallback: boolean): boolean {
  const value = set(env, name)?.toLowerCase();
  if (value === undefined) return fallback;
  if (['true', '1', 'yes', 'on'].includes(value)) return true;
  if (['false', '0', 'no', 'off'].includes(value)) return false;
  throw new ExtractError('invalid_parameter', `The setting ${name} must be true or false.`);
}

/** The parts of a text between commas. */
export function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
