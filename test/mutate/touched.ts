/** What the readers look at in the JSON of a page: each key and index by its path, `*` for each row of a list. */
export interface TouchedJson {
  /** The JSON as it was parsed. */
  readonly json: string;
  readonly paths: readonly (readonly (string | number)[])[];
  /** Lists of rows, which readers iterate over. */
  readonly lists: readonly (readonly (string | number)[])[];
}

interface WatchedObject {
  readonly target: object;
  /** A list to iterate over, not a tuple. */
  walked: boolean;
  readonly children: Map<string | number, WatchedObject | null>;
}

/** Methods that go through a list. The length of tuples is read, too. */
const walks: ReadonlySet<string | symbol> = new Set(
  'map flatMap filter find some every forEach reduce entries values'.split(' '),
);

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** The value behind a proxy that notes what is read of it. */
function watch(target: object, proxies: WeakMap<object, object>): { proxy: object; watched: WatchedObject } {
  const watched: WatchedObject = { target, walked: false, children: new Map() };
  const listed = new Set<string | symbol>();
  const proxy = new Proxy(target, {
    get(_, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (Array.isArray(target) && (typeof key === 'symbol' || !/^\d+$/.test(key))) {
        watched.walked ||= key === Symbol.iterator || walks.has(key);
        return value;
      }
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return value;
      const step = Array.isArray(target) ? Number(key) : key;
      const isEnumerated = listed.delete(key);
      if (!isObject(value)) {
        if (!isEnumerated) watched.children.set(step, null);
        return value;
      }
      const proxy = proxies.get(value);
      if (proxy !== undefined) return proxy;
      const child = watch(value, proxies);
      proxies.set(value, child.proxy);
      watched.children.set(step, child.watched);
      return child.proxy;
    },
    ownKeys() {
      const keys = Reflect.ownKeys(target);
      for (const key of keys) listed.add(key);
      return keys;
    },
  });
  return { proxy, watched };
}

function collect(
  node: WatchedObject,
  path: readonly (string | number)[],
  paths: Set<string>,
  lists: Set<string>,
): void {
  const isList = Array.isArray(node.target) && node.walked;
  if (isList) lists.add(JSON.stringify(path));
  for (const [step, child] of node.children) {
    const here = [...path, isList ? '*' : step];
    if (!isList) paths.add(JSON.stringify(here));
    if (child !== null) collect(child, here, paths, lists);
  }
}

/** Runs a reader, and notes what it touches of each JSON text that it parses. */
export async function touchedBy(run: () => Promise<unknown>): Promise<TouchedJson[]> {
  const roots: { json: string; watched: WatchedObject }[] = [];
  const parse = JSON.parse;
  JSON.parse = (text: string, ...rest: []) => {
    const value: unknown = parse(text, ...rest);
    if (!isObject(value) || rest.length > 0) return value;
    const { proxy, watched } = watch(value, new WeakMap());
    roots.push({ json: text, watched });
    return proxy;
  };
  try {
    await run();
  } finally {
    JSON.parse = parse;
  }
  return roots.map(({ json, watched }) => {
    const [paths, lists] = [new Set<string>(), new Set<string>()];
    collect(watched, [], paths, lists);
    const parsed = (texts: Set<string>) => [...texts].map((text) => parse(text) as (string | number)[]);
    return { json, paths: parsed(paths), lists: parsed(lists) };
  });
}
