/** Characters of a hashtag: letters, marks, digits and the underscore of every script. */
const word = '\\p{L}\\p{M}\\p{N}_';

const tags = new RegExp(`(?<!&)#([${word}]{1,150})`, 'gu');
const handles = new RegExp(`(?<![${word}])@([A-Za-z0-9._]{1,30})`, 'gu');

/** A caption without its web addresses, whose # and @ mean something else. */
const prose = (caption: string | null) => (caption ?? '').replace(/https?:\/\/\S+/gi, ' ');

/** Hashtags of a caption: lower case as the platform looks them up, each once, in order. */
export function hashtagsOf(caption: string | null): string[] {
  const names = [...prose(caption).matchAll(tags)].map(([, name = '']) =>
    name.normalize('NFC').toLowerCase(),
  );
  return [...new Set(names)];
}

/** Handles that a caption mentions: lower case, each once, in order. A dot at the end ends the sentence. */
export function mentionsOf(caption: string | null): string[] {
  const names = [...prose(caption).matchAll(handles)].map(([, name = '']) => name.replace(/\.+$/, ''));
  return [...new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()))];
}
