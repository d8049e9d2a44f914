// Decides which modules share a file, so that no two files load each other.

/** Reads which modules each module of the bundle loads statically, and which on use. */
function readGraph(starts, graph) {
  const imports = new Map();
  const entries = new Set(starts);
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const info = graph.getModuleInfo(id);
    // A module outside the bundle has no code.
    if (imports.has(id) || (info?.code ?? null) === null) continue;
    imports.set(id, info.importedIds);
    for (const imported of info.dynamicallyImportedIds) entries.add(imported);
    open.push(...info.importedIds, ...info.dynamicallyImportedIds);
  }
  for (const [id, imported] of imports) {
    imports.set(
      id,
      imported.filter((one) => imports.has(one)),
    );
  }
  return { imports, entries: [...entries].filter((id) => imports.has(id)) };
}

/** Returns everything reachable from some nodes; the nodes themselves only if they are on a cycle. */
function reachedFrom(starts, next) {
  const visited = new Set();
  const open = [...starts];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const one of next.get(node) ?? []) {
      if (visited.has(one)) continue;
      visited.add(one);
      open.push(one);
    }
  }
  return visited;
}

/**
 * Returns, by module, the entries that load it. The bundler creates a file for unnamed modules with the same entries.
 */
function loadersOf({ imports, entries }) {
  const loaders = new Map([...imports.keys()].map((id) => [id, []]));
  for (const entry of entries) {
    for (const id of reachedFrom([entry], imports).add(entry)) loaders.get(id).push(entry);
  }
  return loaders;
}

/** Returns the files that each file loads; `fileOf` is the file of a module. */
function filesGraph(imports, fileOf) {
  const files = new Map();
  for (const [id, imported] of imports) {
    const file = fileOf(id);
    if (!files.has(file)) files.set(file, new Set());
    for (const one of imported) if (fileOf(one) !== file) files.get(file).add(fileOf(one));
  }
  return files;
}

/**
 * Assigns each module the file that `namesOf` names; null if that file and another would load each other: the first of
 * the two to run might use values that the other has not initialised.
 */
export function acyclicNames(starts, graph, namesOf) {
  const fullGraph = readGraph(starts, graph);
  const loaders = loadersOf(fullGraph);
  const names = new Map([...fullGraph.imports.keys()].map((id) => [id, namesOf(id)]));
  const fileOf = (id) => names.get(id) ?? loaders.get(id).join('\n');
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    const imports = new Map(fullGraph.imports);
    // A module loaded on use has its own file, with the modules that only it loads, next to the file that re-exports
    // it.
    for (const [id, [loader, ...more]] of loaders) {
      if (more.length === 0 && id !== loader && names.get(id) === null)
        imports.set(id, [...imports.get(id), loader]);
    }
    for (const name of new Set(names.values())) {
      if (name === null) continue;
      const outside = reachedFrom([name], filesGraph(imports, fileOf));
      if (!outside.delete(name)) continue;
      // Modules that both this file and its dependencies need go into separate files.
      const others = [...imports.keys()].filter((id) => outside.has(fileOf(id)));
      for (const id of reachedFrom(others, imports)) {
        if (names.get(id) !== name) continue;
        names.set(id, null);
        isSettled = false;
      }
    }
  }
  return names;
}

/** Throws if files of a bundle load each other. */
export function refuseCycles(output) {
  const files = new Map(output.map(({ fileName, imports = [] }) => [fileName, imports]));
  const circle = [...files.keys()].filter((file) => reachedFrom([file], files).has(file));
  if (circle.length > 0) throw new Error(`Files of the bundle load each other: ${circle.join(', ')}`);
}
