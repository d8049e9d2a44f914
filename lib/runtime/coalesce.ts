/** Turns of the event loop that a group may grow for: bounds the wait of its first member. */
const maxTurns = 16;

/**
 * Resolves when a group has stopped growing for a turn of the event loop. Work for many callers at about the same time
 * is then done as one. A single caller waits for nobody.
 */
export async function coalesce(size: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; size() > before && turns < maxTurns; turns += 1) {
    before = size();
    await new Promise<void>((turn) => setImmediate(turn));
  }
}
