import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { fingerprintOfSources, packageRoot } from './fingerprint.ts'
import { STAMP } from './stamp.ts'

/**
 * Builds the page into the directory of the first argument. With `--for-a-host`, only this user can read the files, and
 * the build has the lowest priority.
 */
const [, , directory, purpose] = process.argv
if (directory === undefined) throw new TypeError('The first argument must be a directory')
if (purpose === '--for-a-host') {
  process.umask(0o077)
  setPriority(19)
}
const outDir = resolve(directory)
const fingerprint = await fingerprintOfSources()
await build({
  configFile: join(packageRoot, 'vite.config.ts'),
  // By default Vite writes a copy of the configuration into the source tree.
  configLoader: 'native',
  build: { outDir },
  logLevel: 'warn',
})
await writeFile(join(outDir, STAMP), fingerprint)
