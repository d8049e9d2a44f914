/**
 * Counts as pages word them: “5,750 followers”, “41M followers”, “500+ connections”, “1,2 Mio. Follower”.
 */
const units: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['mil', 1e3],
  ['m', 1e6],
  ['mi', 1e6],
  ['mio', 1e6],
  ['mn', 1e6],
  ['b', 1e9],
  ['mrd', 1e9],
]);

const spoken = /(\d[\d.,\s\u00a0\u202f’']*)(\+)?\s*(\p{L}+)?/u;

/** First number of a text, expanded (“41M” is 41,000,000, “500+” is 500), or null. Digits grouped in any way. */
export function wordedCount(text: string | null): number | null {
  const [, run = '', plus, word = ''] = text === null ? [] : (spoken.exec(text) ?? []);
  const digits = run.replace(/[\s\u00a0\u202f’'.,]+$/, '');
  if (digits === '') return null;
  const unit = plus === undefined ? units.get(word.toLowerCase()) : undefined;
  // Before a unit the sign is a decimal one; without a unit counts are whole and every sign groups digits.
  const count =
    unit === undefined
      ? Number(digits.replace(/\D/g, ''))
      : Math.round(Number(digits.replace(/[\s\u00a0\u202f’']/g, '').replace(',', '.')) * unit);
  return Number.isSafeInteger(count) ? count : null;
}

/** What followers and connections are called in the languages the pages were seen or are documented in. */
const followers =
  /follower|abonn|seguidor|volger|följare|følger|seguaci|takipçi|obserw|フォロワー|位关注者|팔로워/iu;
const connections =
  /connection|relation|contact|kontakt|conex|conness|connectie|collegament|つながり|位好友|1촌/iu;

/** True for a text that counts followers or connections, and is no place. */
export const isFollowers = (text: string) => /\d/.test(text) && followers.test(text);
export const isConnections = (text: string) =>
  /\d/.test(text) && !isFollowers(text) && connections.test(text);
