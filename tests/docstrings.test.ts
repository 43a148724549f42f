import { relative } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { sourceProgram } from '../scripts/packages/source-program.ts'

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
  const { checker, entries } = sourceProgram()
  return entries.flatMap(({ specifier, exports }) =>
    exports.map(({ name, symbol, file }) => ({
      name,
      place: `${specifier} ${name} (${relative('.', file)})`,
      text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      tags: symbol.getJsDocTags(checker).map((tag) => tag.name),
    })),
  )
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
