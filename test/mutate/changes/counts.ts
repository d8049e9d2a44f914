import type { Change } from './change.js';

/** A count of followers as people write it, by language, and what it says. */
const wordings: readonly (readonly [language: string, words: string, value: number])[] = [
  ['ar', '١٬٢٣٤ متابع', 1234],
  ['cs', '12 tis. sledujících', 12_000],
  ['de', '12.345 Follower:innen', 12_345],
  ['en', '31,5K followers', 31_500],
  ['en-IN', '12 lakh followers', 1_200_000],
  ['en-IN', '3 crore followers', 30_000_000],
  ['es', '12 mil seguidores', 12_000],
  ['fa', '۱٬۲۳۴ دنبال‌کننده', 1234],
  ['fi', '12 t. seuraajaa', 12_000],
  ['fr', '1 234 abonnés', 1234],
  ['hi', '१२३४ फ़ॉलोअर', 1234],
  ['hu', '12 E követő', 12_000],
  ['id', '12 rb pengikut', 12_000],
  ['id', '3 jt pengikut', 3_000_000],
  ['it', '41 Mln follower', 41_000_000],
  ['ja', 'フォロワー1.2万人', 12_000],
  ['ja', '１，２３４ followers', 1234],
  ['ko', '팔로워 1.2만명', 12_000],
  ['nl', '12 dzd. volgers', 12_000],
  ['pl', '12 tys. obserwujących', 12_000],
  ['ru', '12,3 тыс. подписчиков', 12_300],
  ['sv', '12 tn följare', 12_000],
  ['tr', '12 B takipçi', 12_000],
  ['uk', '12 тис. читачів', 12_000],
  ['vi', '12 N người theo dõi', 12_000],
  ['zh', '1.2万 关注者', 12_000],
  ['a word that nobody knows', '12 zorp followers', Number.NaN],
];

const counted = /\b(\d[\d.,]*[KMB]?) (followers|connections|employees|likes|comments|posts)\b/gi;

/** A count that a page words twice, set to 0 in one place. */
export function twinChanges(page: string): Change[] {
  const matches = /^\s*</.test(page) ? [...page.matchAll(counted)] : [];
  const isTwin = (one: RegExpExecArray) =>
    Number.parseInt(one[1] ?? '', 10) > 0 &&
    matches.some(
      ({ 0: words, index }) => index !== one.index && words.toLowerCase() === one[0].toLowerCase(),
    );
  return matches.filter(isTwin).map(({ 0: words, 1: number = '', index }) => ({
    kind: 'twins',
    what: `${words} at ${index}`,
    text: () => `${page.slice(0, index)}0${page.slice(index + number.length)}`,
  }));
}

const inEnglish = /\d[\d.,]*\s?[KMB]?\+? (?:followers|connections)\b/gi;

/** The counts of followers of a page in other languages: right, or unknown, and never their digits alone. */
export function countChanges(page: string): Change[] {
  if (!inEnglish.test(page)) return [];
  inEnglish.lastIndex = 0;
  return wordings.map(([language, words, value]) => ({
    kind: 'counts',
    what: `${language}: ${words}`,
    value,
    text: () => page.replace(inEnglish, words),
  }));
}
