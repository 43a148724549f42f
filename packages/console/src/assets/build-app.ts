import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { fingerprintOfSources, packageRoot } from './fingerprint.ts'
import { STAMP } from './stamp.ts'

/**
 * Builds the page into the directory that is named; with `--for-a-host`, for this user alone, and giving way to everything
 * else meanwhile.
 */
const [, , directory, purpose] = process.argv
if (directory === undefined) throw new TypeError('A directory is needed')
if (purpose === '--for-a-host') {
  process.umask(0o077)
  setPriority(19)
}
const outDir = resolve(directory)
const fingerprint = await fingerprintOfSources()
await build({
  configFile: join(packageRoot, 'vite.config.ts'),
  // Vite's own way writes a copy into the tree.
  configLoader: 'native',
  build: { outDir },
  logLevel: 'warn',
})
await writeFile(join(outDir, STAMP), fingerprint)
