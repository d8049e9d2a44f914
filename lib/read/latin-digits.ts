/** Digits of a script are consecutive code points. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Converts the digits of any script to Latin ones. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, latinDigit);
