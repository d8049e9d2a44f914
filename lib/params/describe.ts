import * as z from 'zod';

/** A parameter's type in JSON Schema's terms, for help, documentation and tools. */
export interface Kind {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string | number | boolean;
  readonly description?: string;
}

/** Returns the schema of the value itself, without optional wrappers. */
export function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodReadonly
  ) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** Matches a day, or a time with its UTC offset, in ISO 8601. */
export const momentForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

const kinds = new WeakMap<z.ZodType, Kind>();

export function kindOf(schema: z.ZodType): Kind {
  const schemaKind = kinds.get(schema);
  if (schemaKind !== undefined) return schemaKind;
  const { $schema: _, ...kind } = z.toJSONSchema(schema, { io: 'input' }) as Kind & { $schema?: string };
  kinds.set(schema, kind);
  return kind;
}

/** A parameter in words: its meaning, its values and its default. */
export interface Description {
  readonly text: string;
  /** Completes “must be …”. */
  readonly expects: string;
  readonly default: string | number | boolean | undefined;
}

function expectation(kind: Kind): string {
  if (kind.enum !== undefined) return `one of ${kind.enum.join(', ')}`;
  if (kind.type === 'boolean') return 'true or false';
  if (kind.type === 'string') {
    if (kind.pattern === '^[A-Za-z]{2}$') return 'a two-letter code';
    if (kind.pattern === momentForm.source)
      return 'a day or a time such as 2026-11-01 or 2026-11-01T06:00:00Z';
    return `a string of ${kind.minLength ?? 0} to ${kind.maxLength?.toLocaleString('en-US') ?? 'any number of'} characters`;
  }
  const noun = kind.type === 'integer' ? 'a whole number' : 'a number';
  return `${noun} from ${kind.minimum} to ${kind.maximum}`;
}

export function describe(schema: z.ZodType): Description {
  const kind = kindOf(schema);
  const meaning = kind.description ?? '';
  return { text: meaning.replace(/\.$/, ''), expects: expectation(kind), default: kind.default };
}
