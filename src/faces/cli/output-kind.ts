import { nearestWords, suggestion } from '../../../lib/runtime/nearest-words.js';
import {
  endingOf,
  endingsOf,
  kindOfName,
  type OutputKind,
  outputKinds,
} from '../../files/result-files/file-kind.js';
import { UsageError } from './usage-error.js';

/** Returns the kind of an output file by its extension. Throws a usage error for an unknown one. */
export function outputKindOf(file: string, kinds: readonly OutputKind[] = outputKinds): OutputKind {
  const kind = kindOfName(file);
  if (kind !== null && kinds.includes(kind)) return kind;
  const ending = endingOf(file);
  const endings = endingsOf(kinds);
  const meant = suggestion(nearestWords(ending, endings));
  throw new UsageError(
    'invalid_parameter',
    `Cannot write ${ending} files: ${file}.`,
    `${meant} Endings: ${endings.join(', ')}.`.trimStart(),
  );
}
