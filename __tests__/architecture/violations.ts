import path from 'node:path/posix';
import ts from 'typescript';
import { entryLayers, layers, packages, publicEntries, sharedByPlugins } from './rules.ts';

/** Source text by path from the root of the repository, such as `src/store/Table.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Every import or export that breaks a rule of `rules.ts`, and every cycle, as readable lines. */
export function violations(sources: Sources): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const targets: string[] = [];
    if (/^export (?:type )?\*/m.test(text)) found.push(`${file}: list the exports one by one`);
    // The scan treats `import type` like `import`: both are edges here.
    for (const { fileName: specifier } of ts.preProcessFile(text, true, true).importedFiles) {
      const reason = specifier.startsWith('.')
        ? relativeImport(file, specifier, sources)
        : packageImport(file, specifier);
      if (reason !== undefined) found.push(`${file} imports '${specifier}': ${reason}`);
      if (specifier.startsWith('.')) targets.push(path.join(path.dirname(file), specifier));
    }
    graph.set(file, targets);
  }
  return [...found, ...cycles(graph)];
}

function relativeImport(file: string, specifier: string, sources: Sources): string | undefined {
  const target = path.join(path.dirname(file), specifier);
  if (!sources.has(target)) return 'there is no such file (write the extension: ./Table.ts)';
  const plugin = pluginOf(file);
  if (plugin !== undefined) {
    return pluginOf(target) === plugin || pluginOf(target) === sharedByPlugins
      ? undefined
      : `a plugin imports its own folder, what plugins share, and the public entry only`;
  }
  if (pluginOf(target) !== undefined) return 'the library does not know its plugins';
  if (target in entryLayers) return 'an entry is imported by users only';
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === undefined || to === undefined) return 'it belongs to no layer';
  return layers.indexOf(to) <= layers.indexOf(from) ? undefined : `${from} lies below ${to}`;
}

function packageImport(file: string, specifier: string): string | undefined {
  if (publicEntries.includes(specifier)) {
    return pluginOf(file) === undefined ? 'inside the library, import the file itself' : undefined;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const allowed = Object.entries(packages).some(
    ([place, names]) => (file === place || file.startsWith(`${place}/`)) && names.includes(name),
  );
  return allowed ? undefined : `this place may not import the package ${name}`;
}

function pluginOf(file: string): string | undefined {
  const [root, name] = file.split('/');
  return root === 'plugins' ? name : undefined;
}

function layerOf(file: string): (typeof layers)[number] | undefined {
  return entryLayers[file] ?? layers.find((layer) => file.startsWith(`src/${layer}/`));
}

/** Walks the imports depth first; an edge to a file that is still on the way closes a cycle. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (file: string): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      found.push(`cycle: ${[...trail.slice(start), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}
