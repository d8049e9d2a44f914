/** Quotes user input, truncated if long, with invisible characters as code points (`\u200e`). */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80)).replaceAll(
    /\p{C}/gu,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the message that a text contains an invisible character; null if it has none. */
export function invisibleIn(text: string, what: string): string | null {
  const [invisible] = /\p{Cf}/u.exec(text) ?? [];
  if (invisible === undefined) return null;
  const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${quote(text)} contains the invisible character U+${code}, probably copied along with it. Type the ${what}.`;
}

/** Returns the message that a text is not a username, with the reason if it has an invisible character or is a URL. */
export function noUsername(text: string, allowed: string): string {
  const invisible = invisibleIn(text, 'username');
  if (invisible !== null) return invisible;
  const ending = text.endsWith('.') ? ', and no . at the end' : '';
  return `${quote(text)} is not a username. Give ${allowed} only${ending}.${/[/?#]/.test(text) ? ' A URL goes into url.' : ''}`;
}
