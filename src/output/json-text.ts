/** Parses JSON; undefined if invalid, such as a line truncated by a kill. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
