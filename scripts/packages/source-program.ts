import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

/** An entry of a published package. */
export interface SourceEntry {
  /** The directory below `packages`, such as `gateway-core`. */
  readonly package: string
  /** What an import names, such as `@trivium/gateway-core/http`. */
  readonly specifier: string
  readonly exports: readonly SourceExport[]
}

export interface SourceExport {
  readonly name: string
  /** The exported declaration itself, not the statement that passes it on. */
  readonly symbol: ts.Symbol
  /** The absolute path of its declaration. */
  readonly file: string
}

export interface SourceProgram {
  readonly checker: ts.TypeChecker
  readonly entries: readonly SourceEntry[]
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@trivium/source': string }>>
}

/** Compiles the sources of every package, for their types and doc comments. Takes some seconds. */
export function sourceProgram(): SourceProgram {
  const files = readdirSync('packages').flatMap(sourceFiles)
  const { config } = ts.readConfigFile('tsconfig.base.json', (path) => readFileSync(path, 'utf8'))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram(
    files.map(({ file }) => file),
    { ...options, composite: false, noEmit: true },
  )
  const checker = program.getTypeChecker()
  const entries = files.map(({ file, ...entry }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${entry.specifier} is not a module`)
    const exports = checker.getExportsOfModule(module).map((exported): SourceExport => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      return { name: exported.name, symbol, file: symbol.declarations?.[0]?.getSourceFile().fileName ?? file }
    })
    return { ...entry, exports }
  })
  return { checker, entries }
}

function sourceFiles(name: string) {
  const manifest: Manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            package: name,
            specifier: `@trivium/${name}${entry.slice(1)}`,
            file: resolve('packages', name, target['@trivium/source']),
          },
        ],
  )
}
