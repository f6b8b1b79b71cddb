import { join } from 'node:path';
import { Converter, ReflectionKind } from 'typedoc';
import { entries } from '../scripts/entries.mjs';

const root = join(import.meta.dirname, '..');
const importOf = new Map(
  Object.entries(entries).map(([name, file]) => [
    join(root, file),
    name === 'index' ? 'holdfast' : `holdfast/${name}`,
  ]),
);

/** A TypeDoc plugin: calls the modules what they are imported as. */
function nameModules({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const { fileName } = project.getSymbolIdFromReflection(module);
      module.name = importOf.get(fileName) ?? module.name;
    }
  });
}

/** A TypeDoc plugin: shows a parameter of `Inferred<O, Options, …>` as the options that it accepts. */
function showOptions({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      const { type } = parameter;
      if (type?.type === 'reference' && type.name === 'Inferred') parameter.type = type.typeArguments[1];
    }
  });
}

/** The API reference, from the TSDoc of the public entries: into `docs/api`, which is not checked in. */
export default {
  name: 'API reference',
  entryPoints: [...importOf.keys()],
  tsconfig: 'tsconfig.api.json',
  plugin: ['typedoc-plugin-markdown', nameModules, showOptions],
  out: 'api',
  readme: 'none',
  skipErrorChecking: true, // `npm run types` checks them
  excludeExternals: true, // such as what `ErrorBoundary` inherits of React
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'list',
  propertiesFormat: 'list',
  typeDeclarationFormat: 'list',
  validation: { notExported: false, invalidLink: true, invalidPath: false },
  logLevel: 'Error',
};
