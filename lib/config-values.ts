import { ExtractError } from './errors/extract-error.js';

/** The source of settings: `process.env`, or a test's values. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value as `extract config` shows it. */
export type ShownValue = string | number | boolean | null;

export interface SettingRow {
  readonly name: string;
  readonly default: string;
  readonly text: string;
}

/** How to parse a setting's text, and what to show of it. */
export interface Kind<T> {
  /** Throws `invalid_parameter`. */
  parse(text: string, name: string, env: Environment): T;
  /** Returns what may be shown; by default the value itself. */
  show?(value: NonNullable<T>): ShownValue;
  secrets?(text: string): readonly string[];
  /** True if the text identifies the operator or how to pay them, and must not be public. */
  readonly isPersonal?: boolean;
  /** True if the text names a file that must exist. */
  readonly isFile?: boolean;
  /** A default that cannot be written as a value. */
  readonly defaultText?: string;
}

/** A setting: its variables, and how it is read, shown and documented. */
export interface Setting<T = unknown> {
  /** The variables that it is read from, in order. */
  readonly names: readonly string[];
  readonly rows: readonly SettingRow[];
  readonly kind: Pick<Kind<T>, 'secrets' | 'isFile' | 'isPersonal'>;
  /** Throws `invalid_parameter`. */
  read(env: Environment): T;
  /** Returns what may be shown of a value, by variable. */
  show(value: T): Readonly<Record<string, ShownValue>>;
}

/** By the property that holds the value. */
export type SettingTable = Readonly<Record<string, Setting>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: ReturnType<Table[Key]['read']>;
};

/** Returns a setting's trimmed text; undefined if empty or not set. */
export function readText(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** Defines an optional setting. The first of several names is the documented one. */
export function optional<T>(
  names: string | readonly string[],
  kind: Kind<T>,
  text: string,
  fallback?: string,
) {
  const all = [names].flat();
  const [name = ''] = all;
  const definition: Setting<T | undefined> = {
    ...{ names: all, kind, rows: [{ name, default: kind.defaultText ?? fallback ?? '', text }] },
    read(env) {
      const value = all.map((one) => readText(env, one)).find((one) => one !== undefined) ?? fallback;
      return value === undefined ? undefined : kind.parse(value, name, env);
    },
    show: (value) => ({
      [name]: value != null && kind.show ? kind.show(value) : ((value ?? null) as ShownValue),
    }),
  };
  return definition;
}

/** Defines a setting with a default, written like its text. */
export const setting = <T>(name: string, kind: Kind<T>, fallback: string, text: string) =>
  optional(name, kind, text, fallback) as Setting<T>;

/** Reads a table of settings, except those passed as overrides. Throws `invalid_parameter`. */
export function readSettings<Table extends SettingTable>(
  table: Table,
  env: Environment,
  overrides: Readonly<Record<string, unknown>> = {},
): ValuesOf<Table> {
  const entries = Object.entries(table).map(([key, one]) => [key, overrides[key] ?? one.read(env)]);
  return Object.fromEntries(entries);
}

/** Returns the environment without invalid settings, so that they have their defaults. */
export function withoutWrong(settings: readonly Setting[], env: Environment): Environment {
  const wrong = settings
    .filter((one) => {
      try {
        one.read(env);
        return false;
      } catch (cause) {
        if (cause instanceof ExtractError) return true;
        throw cause;
      }
    })
    .flatMap(({ names }) => names);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !wrong.includes(name)));
}
