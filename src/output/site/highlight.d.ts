/** Code as HTML whose words have classes by what they are; in a language that is not known, as text alone. */
export function highlighted(text: string, language: string): string;
