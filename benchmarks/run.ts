import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The exports of the `index.ts` of each directory next to this file. */
interface Benchmark {
  /** What it measures, against what, and its options, in one line. */
  readonly about: string
  readonly default: (args: string[]) => Promise<void>
}

const directories = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(({ name }) => existsSync(join(import.meta.dirname, name, 'index.ts')))
  .map(({ name }) => name)

const load = (name: string): Promise<Benchmark> => import(`./${name}/index.ts`)

const [name = '', ...args] = process.argv.slice(2)

const isMistake = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

if (directories.includes(name)) {
  const { about, default: measure } = await load(name)
  try {
    await measure(args)
  } catch (error) {
    if (!isMistake(error)) throw error
    console.error(`${error.message}\n\n${name}: ${about}`)
    process.exitCode = 2
  }
} else {
  console.log(`npm run bench -- NAME [options]

Each prints tables of CPU time per unit, latency and memory, of Trivium, of a minimal server and of peers. They take turns
in several rounds. --json FILE writes every figure, --rounds N sets the number of rounds. docs/performance.md explains them.
`)
  for (const directory of directories) console.log(`  ${directory.padEnd(12)}${(await load(directory)).about}`)
  process.exitCode = name === '' ? 0 : 2
}
