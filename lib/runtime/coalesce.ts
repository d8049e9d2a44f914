/** Maximum turns of the event loop for which a group may grow. */
const maxTurns = 16;

/**
 * Resolves when a group has not grown for a turn of the event loop, so that work for concurrent callers is done as one.
 * A single caller does not wait.
 */
export async function coalesce(size: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; size() > before && turns < maxTurns; turns += 1) {
    before = size();
    await new Promise<void>((turn) => setImmediate(turn));
  }
}
