import type { ChildNode } from 'domhandler';
import { decodeHTML } from 'entities';
import type { Platform } from '../../lib/platforms.js';
import { type Exchange, inOrder, type Outcome, type PlacelessPage, runCall } from './exchanges.js';
import type { FoundCall } from './find-call.js';
import { type HtmlChange, type HtmlText, htmlOf, renderHtml } from './html-text.js';
import { Inventor } from './inventor.js';
import { renderSegments, segmentsOf, type TextChange } from './json-text.js';
import { contentOf, formDifferences, leaksOf, shapeOf } from './leaks.js';
import { linkedIdsOf } from './linked-ids.js';
import { shrink } from './shrink.js';
import { vocabularyOf, wordsOf } from './vocabulary.js';

/** Parameters whose values identify someone or something; the others are settings. */
const naming: ReadonlySet<string> = new Set(
  'url profile_url company_url username vanity_name shortcode id place_id tag query location lat lng'.split(
    ' ',
  ),
);

/** A call over invented pages. */
export interface AnonymousCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly exchanges: readonly { readonly request: Exchange['request']; readonly answer: PlacelessPage }[];
  readonly outcome: Outcome;
}

/** A seeded random number generator (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const asWritten = (page: HtmlText): string =>
  renderHtml(page, {
    text: (node, text) => (page.parts.has(node) ? renderSegments(page.parts.get(node) ?? [], null) : text),
    attribute: (_, value) => value,
    tag: (name) => name,
  });

/** Returns the JSON in an attribute, as the page's scripts parse it; null for any other value. */
function jsonOf(value: string): string | null {
  const text = decodeHTML(value);
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

const asAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function inventPage(page: HtmlText, inventor: Inventor): string {
  const change: TextChange = {
    text: (text) => inventor.text(text),
    number: (raw) => inventor.number(raw),
    key: (text) => inventor.key(text),
  };
  const html: HtmlChange = {
    text: (node: ChildNode, text) =>
      page.parts.has(node) ? renderSegments(page.parts.get(node) ?? [], change) : inventor.text(text),
    attribute(name, value) {
      if (!inventor.isMarkup(name) || name === 'style') return null;
      const json = jsonOf(value);
      if (json !== null) return asAttribute(renderSegments(segmentsOf(json), change));
      if (name !== 'class') return inventor.text(value);
      return value
        .replace(/\S+/g, (token) => (inventor.isMarkup(token) ? token : ''))
        .replace(/\s+/g, ' ')
        .trim();
    },
    tag: (name) => (inventor.isMarkup(name) ? name : 'div'),
  };
  return renderHtml(page, html);
}

function subjectsOf({ endpoint, params }: FoundCall): Set<string> {
  const site = new Set(endpoint.site.hosts.flatMap(wordsOf));
  const isUrl = (value: unknown) => /^https?:/.test(String(value));
  const words = Object.entries(params).flatMap(([name, value]) =>
    naming.has(name) && !isUrl(value) ? wordsOf(String(value)) : [],
  );
  return new Set(words.filter((word) => word.length > 1 && !site.has(word)));
}

/**
 * Serialises an answer in full, but an error only by its code, because its message may contain the size of the page.
 */
const outcomeText = ({ pages, error }: Outcome) => JSON.stringify([pages, error?.code ?? null]);
const formOf = ({ pages, error }: Outcome) => ({ pages: shapeOf(pages), error: error?.code ?? null });
const shapeText = (outcome: Outcome) => JSON.stringify(formOf(outcome));

/** Throws if original content remains, or if the answer has a different shape. */
export async function anonymise(call: FoundCall, seed: number): Promise<AnonymousCall> {
  const { endpoint } = call;
  const platform = endpoint.path.slice(0, endpoint.path.indexOf('/')) as Platform;
  const vocabulary = vocabularyOf(platform);
  const originals = call.exchanges.map(({ request, page }) =>
    page === null
      ? null
      : {
          status: page.status,
          headers: page.headers,
          finalUrl: page.url === request.url ? null : page.url,
          text: page.text(),
        },
  );
  const texts = originals.flatMap((page) => page?.text ?? []);
  const requestTexts = call.exchanges.map(({ request }) => `${request.url}\n${request.body ?? ''}`);
  const random = seededRandom(seed);
  const original = contentOf([...texts, ...Object.values(call.params).map(String)]);
  const inventor = new Inventor({
    vocabulary,
    linked: linkedIdsOf(platform, [...texts, ...requestTexts], random),
    avoid: original,
    subjects: subjectsOf(call),
    random,
  });

  const pages = originals.map((page) => (page === null ? null : htmlOf(page.text)));
  const expectedText = outcomeText(call.outcome);
  const current = originals.slice();
  for (const [index, page] of pages.entries()) {
    const originalPage = originals[index];
    if (page === null || originalPage === null || originalPage === undefined) continue;
    const isSame = async () => {
      current[index] = { ...originalPage, text: asWritten(page) };
      return (
        outcomeText(await runCall(endpoint, call.params, inOrder(current), call.maxPages)) === expectedText
      );
    };
    if (!(await isSame())) throw new Error('The page reads otherwise once it is written again.');
    await shrink(page, (key) => inventor.isMarkup(key), isSame);
    await isSame();
  }

  const params = Object.fromEntries(
    Object.entries(call.params).map(([name, value]) => {
      if (!naming.has(name)) return [name, value];
      return [
        name,
        typeof value === 'number' ? Number(inventor.number(String(value))) : inventor.text(String(value)),
      ];
    }),
  );
  const answers = originals.map((page, index): PlacelessPage | null => {
    const body = pages[index];
    if (page === null || body === null || body === undefined) return null;
    const headers = Object.entries(page.headers).map(([name, value]) => [
      name,
      name === 'location' ? inventor.text(value) : value,
    ]);
    return {
      status: page.status,
      headers: Object.fromEntries(headers),
      finalUrl: page.finalUrl === null ? null : inventor.text(page.finalUrl),
      text: inventPage(body, inventor),
    };
  });
  const requests: Exchange['request'][] = [];
  const outcome = await runCall(endpoint, params, inOrder(answers, requests), call.maxPages);
  const exchanges = answers.flatMap((answer, index) => {
    const request = requests[index];
    return answer === null || request === undefined ? [] : [{ request, answer }];
  });

  const results = [
    ...exchanges.flatMap(({ answer }) => [answer.text, answer.finalUrl ?? '']),
    JSON.stringify([params, outcome.pages]),
  ];
  const leaks = leaksOf(original, results, vocabulary);
  if (leaks.length > 0) throw new Error(`The result still says: ${leaks.slice(0, 20).join(', ')}.`);
  if (shapeText(outcome) !== shapeText(call.outcome)) {
    const differences = formDifferences(formOf(call.outcome), formOf(outcome)).slice(0, 20);
    throw new Error(
      `The answer has lost its form.\n${differences.join('\n')}\n${outcome.error?.message ?? ''}`,
    );
  }
  return { params, exchanges, outcome };
}
