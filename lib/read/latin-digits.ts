/** Converts a digit of any script to a Latin one. The digits of a script are consecutive code points. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Returns a text with the digits of any script converted to Latin ones. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, latinDigit);
