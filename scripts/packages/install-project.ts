import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackedPackage } from './pack-packages.ts'
import type { PackageManifest, Ranges } from './package-manifest.ts'

const run = promisify(execFile)

export interface PackedPackages {
  readonly manifests: ReadonlyMap<string, PackageManifest>
  /** The packed packages by name. */
  readonly packages: ReadonlyMap<string, PackedPackage>
}

const { devDependencies: known }: { readonly devDependencies: Ranges } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/**
 * Creates an empty project and installs the packages like `npm install NAMES`, ours from the tarballs, and others from npm's
 * cache where it has them.
 */
export async function installProject(
  directory: string,
  names: readonly string[],
  { manifests, packages }: PackedPackages,
): Promise<void> {
  const ours = withSiblings(names, manifests)
  const ranges: Ranges = Object.assign({}, known, ...[...ours].map((name) => manifests.get(name)?.peers))
  const dependencies = Object.fromEntries([
    ...[...ours].map((name) => [name, `file:${packages.get(name)?.tarball}`]),
    ...names.filter((name) => !manifests.has(name)).map((name) => [name, ranges[name] ?? '*']),
  ])
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: directory,
  })
}

/** Adds our packages that these depend on, since npm would request unpublished ones from the registry. */
function withSiblings(names: readonly string[], manifests: PackedPackages['manifests']): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    const manifest = manifests.get(name)
    if (!manifest || found.has(name)) return
    found.add(name)
    for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.peers })) add(needed)
  }
  for (const name of names) add(name)
  return found
}
