import { readFileSync } from 'node:fs';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';

const schema = RelaxNGValidator.fromDoc(
  XmlDocument.fromString(readFileSync(new URL('atom.rng', import.meta.url), 'utf8')),
);

/** Throws if a text is not an Atom document. */
export function requireAtom(text: string): void {
  const document = XmlDocument.fromString(text);
  try {
    schema.validate(document);
  } finally {
    document.dispose();
  }
}
