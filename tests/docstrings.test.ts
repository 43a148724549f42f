import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** An entry point of a package, whose exports need doc comments. */
interface Entry {
  readonly specifier: string
  readonly file: string
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@trivium/source': string }>>
}

const entries: readonly Entry[] = readdirSync('packages').flatMap((name) => {
  const manifest: Manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: `@trivium/${name}${entry.slice(1)}`,
            file: resolve('packages', name, target['@trivium/source']),
          },
        ],
  )
})

/** The exports that users need first. */
const mainExports = [
  ...['createGateway', 'createEmulation', 'createStorage', 'gatewayRoutes', 'emulationRoutes', 'storageRoutes'],
  ...['fastifyRoutes', 'expressRoutes', 'fetchHandler', 'openDatabase', 'openAiProvider'],
]

interface Docstring {
  readonly name: string
  readonly place: string
  readonly text: string
  readonly tags: readonly string[]
}

function readDocstrings(): readonly Docstring[] {
  const { config } = ts.readConfigFile('tsconfig.base.json', (path) => readFileSync(path, 'utf8'))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...options, composite: false, noEmit: true },
  )
  const checker = program.getTypeChecker()
  return entries.flatMap(({ specifier, file }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${specifier} is not a module`)
    return checker.getExportsOfModule(module).map((exported): Docstring => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const declaration = symbol.declarations?.[0]?.getSourceFile().fileName ?? file
      return {
        name: exported.name,
        place: `${specifier} ${exported.name} (${relative('.', declaration)})`,
        text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        tags: symbol.getJsDocTags(checker).map((tag) => tag.name),
      }
    })
  })
}

const docstrings = readDocstrings()

it('finds a doc comment at every export of every package', () => {
  expect(docstrings.filter(({ text }) => text.trim() === '').map(({ place }) => place)).toEqual([])
})

it.each(mainExports)('finds an example in the doc comment of %s', (name) => {
  const found = docstrings.filter((docstring) => docstring.name === name)
  expect(found.length).toBeGreaterThan(0)
  for (const { tags } of found) expect(tags).toContain('example')
})
