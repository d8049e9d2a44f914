import { inCaseOf, inventToken, inventWord } from './invent-word.js';
import type { LinkedIds } from './linked-ids.js';
import { isKnownWord, type Vocabulary } from './vocabulary.js';

export interface InventorOptions {
  readonly vocabulary: Vocabulary;
  readonly linked: LinkedIds;
  /** Words of the original, which must not be invented. */
  readonly avoid: ReadonlySet<string>;
  /** The subject of the call; its words are replaced even if they are in the vocabulary. */
  readonly subjects: ReadonlySet<string>;
  readonly random: () => number;
}

const encodedLetter = '(?:%[89A-Fa-f][0-9A-Fa-f])+';
const patterns: Readonly<Record<string, string>> = {
  escape: '\\\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbf])',
  entity: '&(?:#\\d+|#[xX][0-9a-fA-F]+|[a-zA-Z]+\\d*);',
  percent: '(?:%[0-7][0-9A-Fa-f])+',
  // Groups of digits: a phone number, a count, a date.
  groups:
    '(?<![\\p{L}\\p{N}.,/_-])(?!\\d{4}-\\d{2}-\\d{2})\\d{1,4}(?:[ .\\u00a0-]\\d{1,4}){2,}(?![\\p{L}\\p{N}])',
  grouped: '(?<![\\p{L}\\p{N}.,])\\d{1,3}(?:[,.\\u00a0\\u202f]\\d{3})+(?![\\p{L}\\p{N}])',
  decimal: '(?<![\\p{L}\\p{N}.])\\d+\\.\\d+(?!\\p{N}|\\.\\p{N})',
  token: `(?:[\\p{L}\\p{M}\\p{N}]|${encodedLetter})+`,
  pictogram: '[\\u{1f000}-\\u{1faff}]',
};

/** A text with more spaces was written by a user. */
const maxInterfaceWords = 12;

const quote = '(?:"|&quot;|&#34;)';
/** A text of the interface that ends with a quotation: “13K likes - somebody on November 7, 2025: "…"”. */
const quotation = new RegExp(`^([^"]{1,200}?: ${quote})([\\s\\S]*)(${quote}[.\\s]*)$`);

/** Decodes references to non-ASCII letters, which are parts of words. */
function withoutReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{2,6})|(\d{2,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return /[\p{L}\p{M}\p{N}]/u.test(character) ? character : reference;
  });
}

/**
 * Replaces the content of a page with invented content. Equal words, numbers and IDs get equal replacements, so that
 * cross references hold. Invented values depend on the order of the originals, never on their content.
 */
export class Inventor {
  readonly #options: InventorOptions;
  readonly #pattern: RegExp;
  readonly #known = new Map<string, string>();
  readonly #used = new Set<string>();
  /** The leading digits invented for those of long numbers, by their length. */
  readonly #leads = new Map<string, string>();
  /** True inside a text too long for the interface, of which every word is replaced. */
  #isProse = false;
  /** True inside a text of one word, which may name a kind, such as GraphImage. */
  #isSingle = false;

  constructor(options: InventorOptions) {
    this.#options = options;
    const all = Object.entries({ linked: options.linked.pattern, ...patterns });
    const groups = all.flatMap(([name, pattern]) => (pattern === null ? [] : [`(?<${name}>${pattern})`]));
    this.#pattern = new RegExp(groups.join('|'), 'gu');
  }

  /** Converts any text: prose, an address, code. Quotations in it are converted separately. */
  text(original: string): string {
    const text = withoutReferences(original);
    const [, head, quoted, tail] = quotation.exec(text) ?? [];
    if (head !== undefined && quoted !== undefined)
      return `${this.#replaced(head)}${this.#replaced(quoted)}${tail}`;
    return this.#replaced(text);
  }

  #replaced(text: string): string {
    // A bare language or country code.
    if (/^(?:[a-z]{2}|[A-Z]{2}|[a-z]{2}[-_][A-Z]{2})$/.test(text)) return text;
    this.#isSingle = /^[\p{L}\p{N}_.$-]+$/u.test(text);
    this.#isProse = (text.match(/\p{L}\s+\p{L}/gu)?.length ?? 0) >= maxInterfaceWords;
    return text.replace(this.#pattern, (match, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
      if (kind === 'linked') return this.#options.linked.invent(match, (raw) => this.#digits(raw));
      if (kind === 'token') return this.#token(match);
      if (kind === 'decimal') return this.number(match);
      if (kind === 'grouped') return this.#grouped(match);
      if (kind === 'groups') {
        const isShort = match.replace(/\D/g, '').length < 7;
        return isShort ? match.replace(/\d+/g, (run) => this.#digits(run)) : this.#grouped(match);
      }
      return kind === 'pictogram' ? '🌱' : this.#escaped(match);
    });
  }

  /** Converts a number in JSON's notation. */
  number(raw: string): string {
    const [, sign = '', integer = '', fraction, exponent = ''] =
      /^(-?)(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/.exec(raw) ?? [];
    if (fraction === undefined) return `${sign}${this.#digits(integer)}${exponent}`;
    // One decimal is a rating or a short count; more are a coordinate or a price.
    if (fraction.length === 1) return `${sign}${this.#digits(integer)}.${fraction}`;
    const magnitude = this.#remember('decimal', `${integer}.${fraction}`, () => {
      const scale = 10 ** (integer.length - 1);
      // A rating stays within its scale, a coordinate within its range.
      const [least, most] =
        integer.length === 1 ? [Math.min(1, Number(integer)), Number(integer)] : [scale, scale * 1.7];
      const invented = Math.floor(least + this.#options.random() * (most - least));
      return `${invented}.${this.#randomDigits(fraction.length)}`;
    });
    return `${sign}${magnitude}`;
  }

  /** Converts a key, a class or an attribute name. It stays if all its words are known. */
  key(text: string): string {
    return this.isMarkup(text) ? text : this.text(text);
  }

  isMarkup(text: string): boolean {
    const { vocabulary, subjects } = this.#options;
    const numbers = text.match(/\d{3,}/g) ?? [];
    return (
      (text.match(/\p{L}+/gu) ?? []).every(
        (word) => isKnownWord(vocabulary.markup, word) && !subjects.has(word.toLowerCase()),
      ) && numbers.every((number) => vocabulary.numbers.has(number))
    );
  }

  #escaped(match: string): string {
    // An escaped letter is part of a name.
    if (/^\\+u/.test(match) && !/^\\+u(?:00[0-7]|20|30[0-3]|d[89a-f]|f)/i.test(match))
      return match.replace(/[\da-f]{4}$/i, '0065');
    return /^&[a-z]+(?:acute|grave|circ|uml|tilde|ring|cedil|slash|lig);$/i.test(match) ? '&eacute;' : match;
  }

  #grouped(match: string): string {
    const digits = [...this.#digits(match.replace(/\D/g, ''))];
    return match.replace(/\d/g, () => digits.shift() ?? '0');
  }

  #token(match: string): string {
    if (match.includes('%')) {
      try {
        const decoded = decodeURIComponent(match);
        return /[\p{L}\p{N}]/u.test(decoded) ? encodeURIComponent(this.text(decoded)) : match;
      } catch {
        return '%20';
      }
    }
    const runs = match.match(/\d+|[^\d]+/gu) ?? [];
    const letters = runs.filter((run) => /\p{L}/u.test(run));
    // A rounded count keeps its unit.
    if (/^\d{1,3}[kmb]$/i.test(match)) {
      const digits = () =>
        `${1 + Math.floor(this.#options.random() * 9)}${this.#randomDigits(match.length - 2)}`;
      return `${this.#remember('count', match.slice(0, -1), digits)}${match.at(-1)}`;
    }
    const isTime = /^(?:PT?(?:\d+[DHMSWY]T?)+|\d{2}T\d{2}|\d+Z)$/.test(match);
    const isSize = /^[a-z]\d+$|^\d+(?:px|p)$/.test(match);
    const isToken =
      letters.length > 0 &&
      letters.length < runs.length &&
      !isTime &&
      !isSize &&
      (runs.length > 2 || letters.some((run) => run.length === 1 || !this.#stays(run)));
    if (isToken) return this.#invent(match, inventToken);
    return runs.map((run) => (/\d/.test(run) ? this.#digits(run) : this.#word(run))).join('');
  }

  #stays(word: string): boolean {
    const lower = word.toLowerCase();
    if (this.#isProse || this.#options.subjects.has(lower)) return false;
    const { words } = this.#options.vocabulary;
    return /^[a-z]$/.test(lower) || words.has(lower) || (this.#isSingle && isKnownWord(words, word));
  }

  #word(word: string): string {
    return this.#stays(word) || !/\p{L}/u.test(word) ? word : this.#invent(word, inventWord);
  }

  #invent(original: string, how: (text: string, random: () => number) => string): string {
    const lower = original.toLowerCase();
    return inCaseOf(
      original,
      this.#remember('word', lower, () => how(lower, this.#options.random)),
    );
  }

  #randomDigits(length: number): string {
    return Array.from({ length }, () => Math.floor(this.#options.random() * 10)).join('');
  }

  #digits(raw: string): string {
    if (raw.length <= 2 || this.#options.vocabulary.numbers.has(raw) || !/^\d+$/.test(raw)) return raw;
    const linked = this.#options.linked.number(raw);
    if (linked !== null) return linked;
    // A year changes by one, because a random digit would make it impossible.
    if (/^(?:19[5-9]|20[0-4])\d$/.test(raw)) return String(Number(raw) - 1);
    return this.#remember('number', raw, () => {
      // Times, and IDs that contain one, keep their leading digits, and with them their week.
      const isTime = /^1\d{9}(?:\d{3})?$/.test(raw) || raw.length >= 15;
      const leadingDigits = isTime ? 4 : raw.length >= 9 ? 1 : (/^0+(?=.)/.exec(raw)?.[0].length ?? 0);
      const leading = raw.slice(0, leadingDigits);
      const isCount = !isTime && raw.length > 4 && !raw.startsWith('0');
      return this.#extended(isCount ? this.#lead(raw, leading) : leading, raw.length);
    });
  }

  /** Appends random digits up to the length; the number does not start with 0. */
  #extended(start: string, length: number): string {
    const rest = this.#randomDigits(length - start.length);
    return start + (start === '' ? rest.replace(/^0/, '4') : rest);
  }

  /** Returns the same two leading digits for a count and its displayed form, such as 783427 and 783400. */
  #lead(raw: string, leading: string): string {
    const key = `${raw.length} ${raw.slice(0, 2)}`;
    const lead = this.#leads.get(key) ?? this.#extended(leading, 2);
    this.#leads.set(key, lead);
    return lead;
  }

  /** Returns the value previously invented for `original`, or a new one that is neither in use nor in the original. */
  #remember(kind: string, original: string, invent: () => string): string {
    const key = `${kind} ${original}`;
    const invented = this.#known.get(key);
    if (invented !== undefined) return invented;
    let value = invent();
    const { avoid } = this.#options;
    // A token's parts count as well, because they may happen to be words of the original.
    const parts = () => [value, ...(value.toLowerCase().match(/\p{L}{4,}|\d{6,}/gu) ?? [])];
    const isFree = () =>
      value !== original && !this.#used.has(value) && !parts().some((part) => avoid.has(part));
    for (let tries = 0; tries < 200 && !isFree(); tries += 1) value = invent();
    this.#known.set(key, value);
    this.#used.add(value);
    return value;
  }
}
