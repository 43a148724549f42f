import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackedPackage } from '../packages/pack-packages.ts'

const run = promisify(execFile)

/**
 * Copies a project of `tests/outside` to a directory outside of the repository, installs exactly what its lock file has,
 * and unpacks our packages into the given directories of it. npm would request unpublished ones from the registry.
 *
 * @param directories relative to the project
 * @returns the directory of the project
 */
export async function installFixture(
  name: string,
  packages: ReadonlyMap<string, PackedPackage>,
  { destination, directories }: { readonly destination: string; readonly directories: readonly string[] },
): Promise<string> {
  const project = join(destination, name)
  cpSync(join('tests/outside', name), project, { recursive: true })
  await run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
  })
  for (const directory of directories) {
    for (const [own, { tarball }] of packages) {
      const target = join(project, directory, 'node_modules', own)
      mkdirSync(target, { recursive: true })
      await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
    }
  }
  return project
}
