import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The directory of this package. */
export const packageRoot = join(import.meta.dirname, '../..')

const sources = ['vite.config.ts', 'src/app/**/*.*', '../{http-client,http-contract,*-core}/{src/**/*.ts,package.json}']

/** Returns a hash of all files that the page is built from: 16 hexadecimal digits. */
export async function fingerprintOfSources(): Promise<string> {
  const files = globSync(sources, { cwd: packageRoot }).filter((file) => !file.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(packageRoot, file)))
  return hash.digest('hex').slice(0, 16)
}
