/** A text of a page in which Markdown means nothing, and which mentions nobody: a space of no width follows each @. */
export const plainMarkdown = (text: string) =>
  text.replace(/[\\`*_[\]~|<>#]/g, '\\$&').replaceAll('@', '@\u200b');

/** A link, or the text alone where there is no address. */
export const markdownLink = (text: string, url: string | null) =>
  url === null || !/^https?:/.test(url)
    ? plainMarkdown(text)
    : `[${plainMarkdown(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
