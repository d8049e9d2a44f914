/** Letters of scripts whose words are invented letter by letter. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Greek}/u, 'αεηικλμνοπρστυ'],
  [/\p{Script=Cyrillic}/u, 'абвгдеиклмнопрсту'],
  [/\p{Script=Han}/u, '山川木水火土石竹米花草森林田'],
  [/\p{Script=Hiragana}/u, 'あいうえおかきくけこさしすせそ'],
  [/\p{Script=Katakana}/u, 'アイウエオカキクケコサシスセソ'],
  [/\p{Script=Hangul}/u, '가나다라마바사아자차카타파하'],
  [/\p{Script=Arabic}/u, 'ابتجحدرزسعفقكلم'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמ'],
  [/\p{Script=Devanagari}/u, 'कखगचजटडतदनपबमयरलव'],
  [/\p{Script=Bengali}/u, 'কখগচজটডতদনপবমযরল'],
  [/\p{Script=Thai}/u, 'กขคงจชดตถทนบปพมยรล'],
];
const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';
const accented = 'éèåöü';

const pick = (letters: string, random: () => number): string => {
  const all = [...letters];
  return all[Math.floor(random() * all.length)] as string;
};

/** Returns a lower-case word of the same length, script and accents as the original, and otherwise different. */
export function inventWord(word: string, random: () => number): string {
  let isVowel = random() < 0.4;
  return [...word]
    .map((letter) => {
      if (/\p{M}/u.test(letter)) return letter;
      isVowel = !isVowel;
      if (/[a-z]/.test(letter)) return pick(isVowel ? vowels : consonants, random);
      const letters = scripts.find(([script]) => script.test(letter))?.[1] ?? accented;
      return pick(letters, random);
    })
    .join('');
}

/** Returns letters and digits that look like a token; without vowels, so that they form no word. */
export function inventToken(token: string, random: () => number): string {
  const hex = /^[0-9a-f]+$/.test(token);
  return [...token]
    .map((character) => {
      if (/\d/.test(character)) return String(Math.floor(random() * 10));
      if (/[a-z]/.test(character)) return pick(hex ? 'bcdf' : 'bcdfghjkmnpqrstvwxz', random);
      return /\p{L}/u.test(character) ? pick(accented, random) : character;
    })
    .join('');
}

/** Applies the case of the original to a lower-case text. */
export function inCaseOf(like: string, lower: string): string {
  const letters = [...lower];
  return [...like]
    .map((letter, index) => {
      const invented = letters[index] ?? '';
      return letter !== letter.toLowerCase() ? invented.toUpperCase() : invented;
    })
    .join('');
}
