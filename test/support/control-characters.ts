/** What must not reach a terminal, line breaks apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
/** What begins an escape sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const escapes = /[\u001b\u009b]/;
