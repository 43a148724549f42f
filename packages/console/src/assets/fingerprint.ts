import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const packageRoot = join(import.meta.dirname, '../..')

const sources = ['vite.config.ts', 'src/app/**/*.*', '../{http-client,http-contract,*-core}/{src/**/*.ts,package.json}']

/** A hash of everything that the page is built from. */
export async function fingerprintOfSources(): Promise<string> {
  const files = globSync(sources, { cwd: packageRoot }).filter((file) => !file.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(packageRoot, file)))
  return hash.digest('hex').slice(0, 16)
}
