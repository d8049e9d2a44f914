/** The value of a text of JSON; undefined for a text that is none, such as a line that a killed process cut off. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
