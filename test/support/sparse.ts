/** Values by their position in nested lists, such as `'4.7'`: the eighth of the fifth. */
export type Places = Readonly<Record<string, unknown>>;

/** Returns a nested list with values at some positions and nothing elsewhere: a place node, a row or a root. */
export function sparse(places: Places = {}): unknown[] {
  const root: unknown[] = [];
  for (const [place, value] of Object.entries(places)) {
    const steps = place.split('.').map(Number);
    let node = root;
    steps.forEach((index, depth) => {
      while (node.length <= index) node.push(null);
      if (depth === steps.length - 1) node[index] = value;
      else {
        node[index] ??= [];
        node = node[index] as unknown[];
      }
    });
  }
  return root;
}
