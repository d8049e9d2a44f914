import { catalogue, type ErrorCode, type ErrorType, isRetryable } from '../../lib/errors/catalogue.js';
import { className, docstring, joinLines, longLiteral, moduleText } from './source.js';

const entries = Object.entries(catalogue) as [ErrorCode, (typeof catalogue)[ErrorCode]][];
const types = [...new Set(entries.map(([, { type }]) => type))];

/** `PermissionError` is Python's own, for files. */
const names: Partial<Record<ErrorType, string>> = { permission: 'PermissionDeniedError' };
const nameOf = (type: ErrorType) => names[type] ?? `${className(type)}Error`;

const entriesOf = (type: ErrorType) => entries.filter(([, entry]) => entry.type === type);
const codesOf = (type: ErrorType) => `${nameOf(type)}Code`;

function classText(type: ErrorType): string {
  const lines = entriesOf(type).map(([code, { summary }]) => `\`${code}\`: ${summary}`);
  return `class ${nameOf(type)}(ExtractError):
${docstring([`An error of type \`${type}\`.`, lines.join('\n')], 1)}

    type: Literal["${type}"]
    code: ${codesOf(type)}`;
}

/** Returns the codes as literals, and a class for each type of error. */
export function errorModules(): Record<string, string> {
  const table = entries.map(
    ([code, { type, status }]) =>
      `"${code}": ("${type}", ${status}, ${isRetryable(code) ? 'True' : 'False'})`,
  );
  const codes = [
    `ErrorType = ${longLiteral(types)}`,
    ...types.map((type) => `${codesOf(type)} = ${longLiteral(entriesOf(type).map(([code]) => code))}`),
    `ErrorCode = Union[\n${joinLines(types.map(codesOf))}\n]`,
    `ENTRIES: dict[str, tuple[ErrorType, int, bool]] = {\n${joinLines(table)}\n}`,
    docstring(['Code → its type, its HTTP status, and whether the same call may succeed later.']),
  ];
  const classes = types.map((type) => `"${type}": ${nameOf(type)}`);
  const mapping = `_CLASSES: dict[ErrorType, type[ExtractError]] = {\n${joinLines(classes)}\n}


def error_of(
    code: ErrorCode,
    message: str,
    *,
    docs: str = "",
    request_id: str = "",
    retry_after: float | None = None,
) -> ExtractError:
    """Returns the error of a code, in the class of its type."""
    chosen = _CLASSES[ENTRIES[code][0]]
    return chosen(code, message, docs=docs, request_id=request_id, retry_after=retry_after)`;
  return {
    'codes.py': moduleText('Every code of an error.', ['from typing import Literal, Union'], codes),
    'errors.py': moduleText(
      'A class of errors for each type. All are an `ExtractError`.',
      [
        'from typing import Literal',
        '',
        'from ._base_error import ExtractError as ExtractError',
        `from .codes import ENTRIES, ErrorCode, ErrorType, ${types.map(codesOf).sort().join(', ')}`,
      ],
      [...types.map(classText), mapping],
    ),
  };
}
