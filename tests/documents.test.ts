import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * A `ts` block of a document, or of an `@example`. Each is a module that compiles against the current packages. A block with
 * a `text` block directly after it is run, and prints that text.
 */
interface Block {
  readonly name: string
  readonly file: string
  readonly code: string
  readonly output: string | undefined
}

const documents = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md'])

/** Returns the `@example` blocks of a source as Markdown: comments without their stars. */
const examplesOf = (source: string): string =>
  [...source.matchAll(/^ *\/\*\*\n(?: *\*.*\n)*? *\* @example\n((?: *\*(?!\/).*\n)+)/gm)]
    .map(([, example = '']) => example.replaceAll(/^ *\* ?/gm, ''))
    .join('\n')

const sources = globSync('packages/*/src/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] })

const texts: ReadonlyMap<string, string> = new Map([
  ...documents.map((document) => [document, readFileSync(document, 'utf8')] as const),
  ...sources
    .map((source) => [source, examplesOf(readFileSync(source, 'utf8'))] as const)
    .filter(([, examples]) => examples !== ''),
])

const blocks: readonly Block[] = [...texts].flatMap(([document, markdown]) =>
  [...markdown.matchAll(/^```ts\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/gms)].map(([, code = '', output], index) => ({
    name: `${document} ${index + 1}`,
    file: resolve('tests', `${document.replaceAll(/[/.]/g, '-')}-${index + 1}.ts`),
    code: `${code}\nexport {}\n`,
    output,
  })),
)

function diagnose(): ReadonlyMap<string, readonly string[]> {
  const base = ts.readConfigFile('tsconfig.base.json', (path) => readFileSync(path, 'utf8'))
  const { options } = ts.parseJsonConfigFileContent(base.config, ts.sys, '.')
  const host = ts.createCompilerHost({ ...options, composite: false, noEmit: true })
  const sources = new Map(blocks.map(({ file, code }) => [file, code]))
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => sources.has(path) || fileExists(path)
  host.readFile = (path) => sources.get(path) ?? readFile(path)
  host.getSourceFile = (path, version) => {
    const code = sources.get(path)
    return code === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, code, version)
  }
  const program = ts.createProgram([...sources.keys()], { ...options, composite: false, noEmit: true }, host)
  return new Map(
    blocks.map(({ file }) => {
      const source = program.getSourceFile(file)
      const found = source
        ? [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
        : []
      return [file, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))]
    }),
  )
}

describe('code in documents', () => {
  const found = diagnose()

  it.each(blocks)('$name compiles', ({ file }) => {
    expect(found.get(file)).toEqual([])
  })
})

const compileCache = join(tmpdir(), 'node-compile-cache')

/** Runs a block in a process of its own, which must end by itself. */
async function run(code: string): Promise<{ readonly output: string; readonly exitCode: number | null }> {
  const child = spawn(process.execPath, ['--conditions=@trivium/source', '--input-type=module-typescript', '-'], {
    cwd: 'tests',
    // The blocks share their compiled code.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(code)
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, exitCode: child.exitCode }
}

describe.concurrent('code in documents with its output', () => {
  it.each(blocks.filter(({ output }) => output !== undefined))('$name prints that output', async ({ code, output }) => {
    expect(await run(code)).toEqual({ output, exitCode: 0 })
  })
})

describe('links in documents', () => {
  it.each(documents)('%s has only links to existing files', (document) => {
    const targets = [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(
      ([, target = '']) => target,
    )
    const missing = targets.filter((target) => globSync(resolve(document, '..', target)).length === 0)
    expect(missing).toEqual([])
  })
})
