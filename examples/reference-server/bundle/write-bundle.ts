import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type OutputFile } from 'esbuild'
import { ownAddresses } from './own-addresses.ts'

/** Makes one bundle of the server in a directory, from the `sources` or from what is `built` in the tree at `root`. */
const [directory = '', sort, root = ''] = process.argv.slice(2)

/** A running server loads some files of an earlier bundle later. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

const FOLDER = 'examples/reference-server'
const entries = ['./src/main.ts', './src/workers/main.ts']

const beganMs = Date.now()
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: entries.map((entry) => join(FOLDER, entry)),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  outdir: directory,
  // Node reads the files of other names twice, to find out which sort of module they are.
  outExtension: { '.js': '.mjs' },
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  ...(sort === 'sources' && { conditions: ['@trivium/source'] }),
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, verbatimModuleSyntax: true } },
  external: ['better-sqlite3'],
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'error',
  plugins: [ownAddresses],
})

/** The file of each entry, by its path as `start.js` names it. */
const outputOf = Object.fromEntries(
  Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) => {
    const entry = entries.find((name) => entryPoint === join(FOLDER, name))
    return entry === undefined ? [] : [[entry, basename(path)]]
  }),
)
mkdirSync(directory, { recursive: true, mode: 0o755 })
for (const file of outputFiles) writeOutput(file)
const outputs = outputFiles.map(({ path }) => basename(path))
removeOld(outputs)
replaceFile(join(directory, 'inputs.json'), JSON.stringify({ root, entries: outputOf, outputs, inputs: inputs() }))

function writeOutput({ path, text }: OutputFile): void {
  const content = inAscii(text)
  if (statSync(path, { throwIfNoEntry: false })?.size !== content.length) replaceFile(path, content)
}

/** V8 needs twice the memory for a text with other characters. esbuild leaves some in comments and regular expressions. */
function inAscii(text: string): string {
  return text.replace(/[^\t\n\r -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Another start may read the file at the same time. */
function replaceFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o644 })
  renameSync(draft, path)
}

function removeOld(current: readonly string[]): void {
  const now = new Date()
  const kept = new Set([...current, ...earlierOutputs()])
  for (const name of globSync('*.mjs*', { cwd: directory })) {
    const path = join(directory, name)
    const { mtime = now } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (kept.has(name)) utimesSync(path, now, now)
    else if (now.getTime() - mtime.getTime() > KEPT_DAYS * DAY_MS) rmSync(path, { force: true })
  }
}

function earlierOutputs(): readonly string[] {
  try {
    return JSON.parse(readFileSync(join(directory, 'inputs.json'), 'utf8')).outputs
  } catch {
    return []
  }
}

/** What the bundle is made of. The packages that npm installs change together with npm's own record of them. */
function inputs(): readonly (readonly [path: string, changedMs: number, bytes: number])[] {
  const read = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
  const manifests = globSync(['packages/*/package.json', 'examples/reference-server/package.json'], { cwd: root })
  const own = globSync('*.ts', { cwd: import.meta.dirname }).map((name) =>
    relative(root, join(import.meta.dirname, name)),
  )
  return [...new Set([...read, ...manifests, ...own, 'node_modules/.package-lock.json'])].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path))
    // One that has changed meanwhile is read again by the next start.
    return [path, mtimeMs > beganMs ? 0 : mtimeMs, size]
  })
}
