import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprintOfSources, packageRoot } from '../src/assets/fingerprint.ts'
import { STAMP } from '../src/assets/stamp.ts'

/** Builds the page once for all tests, in the directory where their servers look for it. */
export default async function buildPage(): Promise<void> {
  const directory = join(packageRoot, 'node_modules/.cache/console', await fingerprintOfSources())
  const isBuilt = await access(join(directory, STAMP)).then(
    () => true,
    () => false,
  )
  if (!isBuilt) await promisify(execFile)(process.execPath, [join(packageRoot, 'src/assets/build-app.ts'), directory])
}
