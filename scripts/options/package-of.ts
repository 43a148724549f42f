import { relative } from 'node:path'
import type ts from 'typescript'

/** Returns the directory below `packages` that declares a type or function, unless it is another project's. */
export function packageOf(symbol: ts.Symbol | undefined): string | undefined {
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName
  return file === undefined ? undefined : /^packages\/([^/]+)\/src\//.exec(relative('.', file))?.[1]
}
