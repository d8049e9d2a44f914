/** Returns a name in comparable form, regardless of case and Unicode composition. */
export const sameName = (name: string) => name.normalize('NFC').trim().toLowerCase();

/**
 * Lower-cases a text without changing its length: İ alone becomes two characters, and names that contain it would not
 * be found.
 */
const lowered = (text: string) => text.replaceAll('İ', 'i').toLowerCase();

/** Handles in texts and addresses: after an @, and in the addresses of people's pages and posts. */
const handles =
  /(?<![\p{L}\p{N}_.])@(?<mention>[\p{L}\p{N}_][\p{L}\p{N}_.-]*)|(?<=\/in\/|\/contrib\/)(?<page>[^/?#\s"]+)|(?<=instagram\.com\/)(?<owner>[\w.]+)(?=\/(?:p|reel|tv)\/)/giu;

/** The address of a page whose path is only a handle. */
const pageOfOne = /^https?:\/\/[^/]+\/@?([^/?#]+)\/?(?:$|[?#])/i;

/** A single letter occurs as a word in too many texts. */
const minLength = 2;

interface Name {
  readonly text: string;
  readonly lower: string;
  /** Characters that may not be adjacent, because the name would be part of a longer word. */
  readonly before: RegExp | null;
  readonly after: RegExp | null;
}

const digit = /\p{N}/u;
const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{N}_]/u;

/** Scripts without spaces between words have no word boundaries. */
function edgeOf(character: string, isNumber: boolean): RegExp | null {
  if (isNumber) return digit;
  return letter.test(character) ? letter : null;
}

export class NameReplacer {
  readonly #byFirst = new Map<string, Name[]>();
  readonly #known = new Set<string>();
  readonly #pseudonym: (name: string) => string | null;

  /** `pseudonym` returns the replacement of a name; null to keep it. */
  constructor(pseudonym: (name: string) => string | null) {
    this.#pseudonym = pseudonym;
  }

  /** Adds a name and its spelling in addresses; for an address, its handle. */
  add(name: string): void {
    const plain = name.trim();
    for (const { groups } of plain.matchAll(handles)) {
      this.#add(groups?.mention ?? groups?.page ?? groups?.owner ?? '');
    }
    if (/^https?:/i.test(plain)) {
      this.#add(pageOfOne.exec(plain)?.[1] ?? '');
      return;
    }
    for (const form of [plain, plain.normalize('NFC'), plain.normalize('NFD')]) {
      this.#add(form, plain);
      this.#add(encodeURIComponent(form.toWellFormed()), plain);
    }
  }

  #add(form: string, text = form): void {
    if (form.length < minLength || this.#known.has(form)) return;
    this.#known.add(form);
    const lower = lowered(form);
    const isNumber = /^\p{N}+$/u.test(form);
    const name = {
      ...{ text, lower },
      before: edgeOf(form[0] as string, isNumber),
      after: edgeOf(form.at(-1) as string, isNumber),
    };
    const first = lower[0] as string;
    const names = this.#byFirst.get(first) ?? [];
    // Longest first, because a name may be a prefix of another.
    this.#byFirst.set(
      first,
      [...names, name].sort((one, other) => other.lower.length - one.lower.length),
    );
  }

  /** Returns the known name at a position, if it is a complete word there. */
  #nameAt(text: string, at: number): Name | undefined {
    const names = this.#byFirst.get(lowered(text[at] as string));
    return names?.find(({ lower, before, after }) => {
      const end = at + lower.length;
      if (lowered(text.slice(at, end)) !== lower) return false;
      return before?.test(text[at - 1] ?? '') !== true && after?.test(text[end] ?? '') !== true;
    });
  }

  replace(text: string): string {
    const handlesAt = new Map<number, string>();
    for (const { index, groups, 0: match } of text.matchAll(handles)) {
      const handle = (groups?.mention ?? groups?.page ?? groups?.owner ?? '').replace(/(?<![.-])[.-]+$/u, '');
      if (handle !== '') handlesAt.set(match.startsWith('@') ? index + 1 : index, handle);
    }
    let result = '';
    let copied = 0;
    for (let at = 0; at < text.length; at += 1) {
      const knownName = this.#nameAt(text, at);
      const handle = handlesAt.get(at);
      const length = knownName?.lower.length ?? handle?.length;
      if (length === undefined) continue;
      const name = knownName?.text ?? decoded(handle as string);
      result += text.slice(copied, at) + (this.#pseudonym(name) ?? text.slice(at, at + length));
      copied = at + length;
      at = copied - 1;
    }
    return copied === 0 ? text : result + text.slice(copied);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
