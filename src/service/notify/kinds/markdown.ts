/** Escapes a page's text so that nothing in it is Markdown or a mention: a zero-width space follows each @. */
export const plainMarkdown = (text: string) =>
  text.replace(/[\\`*_[\]~|<>#]/g, '\\$&').replaceAll('@', '@\u200b');

/** Returns a link; without an address only the text. */
export const markdownLink = (text: string, url: string | null) =>
  url === null || !/^https?:/.test(url)
    ? plainMarkdown(text)
    : `[${plainMarkdown(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
