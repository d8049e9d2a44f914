/** The web address that a user gave, with or without its scheme; null for any other text, and where it holds a password. */
export function parseWebAddress(text: string): URL | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username === '' && url.password === '' ? url : null;
}
