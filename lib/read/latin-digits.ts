/** A digit of any script as one of ours; the digits of a script stand in a row. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** A text whose digits are ours, whatever their script. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, latinDigit);
