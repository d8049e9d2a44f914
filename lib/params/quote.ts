/** What a user gave, in quotation marks, cut where it is long; invisible signs by their numbers (`\u200e`). */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80)).replaceAll(
    /\p{C}/gu,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
