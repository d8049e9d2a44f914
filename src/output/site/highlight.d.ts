/** Returns code as HTML with classes for its tokens; plain text for an unknown language. */
export function highlighted(text: string, language: string): string;
