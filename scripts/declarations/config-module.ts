import path from 'node:path';
import ts from 'typescript';
import { librarySettings } from '../../lib/config.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { jsdoc } from './jsdoc.js';

/** Returns the interface of the configuration: types from the compiler, descriptions from the table of settings. */
export function configModule(options: ts.CompilerOptions): string {
  const file = path.join(packageRoot(), 'lib/config.ts');
  const program = ts.createProgram([file], options);
  const [checker, source] = [program.getTypeChecker(), program.getSourceFile(file)];
  const config = source?.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'Config');
  if (source === undefined || config === undefined) throw new Error('lib/config.ts declares no Config.');
  const sentences: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    Object.entries(librarySettings).map(([key, { rows }]) => [key, rows[0]?.text]),
  );
  const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(config)).map((property) => {
    const type = checker.typeToString(
      checker.getTypeOfSymbol(property),
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    );
    const about =
      sentences[property.name] ?? ts.displayPartsToString(property.getDocumentationComment(checker));
    return `${jsdoc([about])}\nreadonly ${property.name}: ${type};`;
  });
  const about = ts.displayPartsToString(
    checker.getSymbolAtLocation(config.name)?.getDocumentationComment(checker) ?? [],
  );
  return [
    "import type { BrowserUse } from './config-browser.js';\nimport type { Platform } from './platforms.js';",
    ...source.statements.filter(ts.isTypeAliasDeclaration).map((statement) => statement.getText(source)),
    `${jsdoc([about])}\nexport interface Config {\n${properties.join('\n')}\n}`,
  ].join('\n');
}
