/** Control characters that must not reach a terminal, except line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them
export const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
/** The beginning of an escape sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them
export const escapes = /[\u001b\u009b]/;
