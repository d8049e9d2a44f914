import { textOrNull, urlOrNull } from '../../read/convert.js';
import type { Caption } from '../../read/item-source.js';
import { at, listAt } from '../../read/json.js';

/** The platform's terms for the origin of captions: speech recognition, and translation. */
const kinds: Readonly<Record<string, Caption['kind']>> = { ASR: 'original', MT: 'translated' };

/** Reads an entry of `subtitleInfos` (2025-12, on pages for mobile clients 2026-01). */
function captionOfSubtitle(entry: unknown): Caption | null {
  const url = urlOrNull(at(entry, 'Url'));
  if (url === null || at(entry, 'Format') !== 'webvtt') return null;
  const kind = kinds[textOrNull(at(entry, 'Source')) ?? ''] ?? null;
  return { language: textOrNull(at(entry, 'LanguageCodeName')), kind, url };
}

/** Reads an entry of `claInfo.captionInfos` (2025-12). */
function captionOfInfo(entry: unknown): Caption | null {
  const url = urlOrNull(at(entry, 'url')) ?? urlOrNull(at(entry, 'urlList', 0));
  if (url === null || at(entry, 'captionFormat') !== 'webvtt') return null;
  const isOriginal = at(entry, 'isOriginalCaption');
  const kind = isOriginal === true ? 'original' : isOriginal === false ? 'translated' : null;
  return { language: textOrNull(at(entry, 'language')), kind, url };
}

/**
 * Returns the captions in the item of a video's page (`itemStruct.video`), each language once; undefined if there is no
 * list. The page has two lists, which agree; sometimes only the older one is present.
 */
export function captionsOf(item: unknown): readonly Caption[] | undefined {
  const video = at(item, 'video');
  const lists = [at(video, 'claInfo', 'captionInfos'), at(video, 'subtitleInfos')];
  if (!lists.some(Array.isArray)) return undefined;
  const all = [
    ...listAt(video, 'claInfo', 'captionInfos').map(captionOfInfo),
    ...listAt(video, 'subtitleInfos').map(captionOfSubtitle),
  ].filter((caption) => caption !== null);
  const ofLanguage = new Map<string, Caption>();
  for (const caption of all) {
    const name = `${caption.language} ${caption.kind}`;
    if (!ofLanguage.has(name)) ofLanguage.set(name, caption);
  }
  return [...ofLanguage.values()];
}
