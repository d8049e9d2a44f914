import { ExtractError } from './errors/extract-error.js';

/** Where settings are read from: `process.env`, or a test's values. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value as `extract config` shows it. */
export type ShownValue = string | number | boolean | null;

/** A row of the documentation's table of settings. */
export interface SettingRow {
  readonly name: string;
  readonly default: string;
  readonly text: string;
}

/** How the text of a setting becomes its value, and what may be shown of it. */
export interface Kind<T> {
  /** Throws `invalid_parameter`. */
  parse(text: string, name: string, env: Environment): T;
  /** The text that may be shown; the value itself where left out. */
  show?(value: NonNullable<T>): ShownValue;
  /** The secrets that a text holds. */
  secrets?(text: string): readonly string[];
  /** The text says who the operator is, or how to pay them: nobody else is told. */
  readonly isPersonal?: boolean;
  /** The text names a file, which must be there. */
  readonly isFile?: boolean;
  /** The default in words, where it is none that could be set. */
  readonly defaultText?: string;
}

/** A setting: its variables, how it is read, what may be shown of it, and how it is documented. */
export interface Setting<T = unknown> {
  /** The variables that it is read from. */
  readonly names: readonly string[];
  readonly rows: readonly SettingRow[];
  readonly kind: Pick<Kind<T>, 'secrets' | 'isFile' | 'isPersonal'>;
  /** Throws `invalid_parameter`. */
  read(env: Environment): T;
  /** The text that may be shown of a value, by variable. */
  show(value: T): Readonly<Record<string, ShownValue>>;
}

/** Settings by the property that holds the value. */
export type SettingTable = Readonly<Record<string, Setting>>;

/** The values of a table of settings. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: ReturnType<Table[Key]['read']>;
};

/** A setting's text without the space around it; undefined for one that is empty or not set. */
export function readText(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** A setting that may be left out. The first of several names documents and shows it. */
export function optional<T>(
  names: string | readonly string[],
  kind: Kind<T>,
  text: string,
  fallback?: string,
) {
  const all = [names].flat();
  const [name = ''] = all;
  const made: Setting<T | undefined> = {
    ...{ names: all, kind, rows: [{ name, default: kind.defaultText ?? fallback ?? '', text }] },
    read(env) {
      const given = all.map((one) => readText(env, one)).find((one) => one !== undefined) ?? fallback;
      return given === undefined ? undefined : kind.parse(given, name, env);
    },
    show: (value) => ({
      [name]: value != null && kind.show ? kind.show(value) : ((value ?? null) as ShownValue),
    }),
  };
  return made;
}

/** A setting with a default, which is a text as the setting takes it. */
export const setting = <T>(name: string, kind: Kind<T>, fallback: string, text: string) =>
  optional(name, kind, text, fallback) as Setting<T>;

/** Reads a table of settings; a value that is given is not read. Throws `invalid_parameter`. */
export function readSettings<Table extends SettingTable>(
  table: Table,
  env: Environment,
  given: Readonly<Record<string, unknown>> = {},
): ValuesOf<Table> {
  const entries = Object.entries(table).map(([key, one]) => [key, given[key] ?? one.read(env)]);
  return Object.fromEntries(entries);
}

/** The environment without the settings that are wrong, each of which then has its default. */
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
