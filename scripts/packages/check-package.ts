import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkLoading } from './check-loading.ts'
import { checkTypes, entryModules } from './check-types.ts'
import { installProject, type PackedPackages } from './install-project.ts'
import type { PackageManifest } from './package-manifest.ts'
import { readReadme } from './readme.ts'
import { runReadmeServer } from './run-readme-server.ts'

const run = promisify(execFile)

/**
 * Checks the package as its users find it: that its manifest is right (publint, attw), and that an empty project which
 * follows the install line of its README can load it, compile the README's code, and run it.
 *
 * @returns the problems, in sentences
 */
export async function checkPackage(
  manifest: PackageManifest,
  packed: PackedPackages,
  directory: string,
): Promise<readonly string[]> {
  const { name, specifiers, optionalPeers } = manifest
  const readme = readReadme(manifest)
  const project = join(directory, name.replace('@trivium/', 'in-'))
  const tarball = packed.packages.get(name)?.tarball ?? ''
  const problems = [
    ...(await outputOfFailure('publint', ['run', '--strict', tarball])),
    ...(await outputOfFailure('attw', [tarball, ...attwOptions])),
  ]
  await installProject(project, [...readme.installs, '@types/node', ...typesOf(readme.installs)], packed)
  problems.push(...(await checkLoading(project, specifiers, optionalPeers)))
  const modules = new Map([
    ...readme.code.map((code, index): [string, string] => [`readme-${index + 1}.ts`, `${code}\nexport {}\n`]),
    ...entryModules(specifiers),
  ])
  problems.push(...checkTypes({ directory: project, modules, packages: [name], optional: allOptional(packed) }))
  if (readme.requests !== '') problems.push(...(await runReadmeServer(project, readme)))
  return problems
}

/** Returns the optional peers of all packages, since an installation also adds siblings. */
const allOptional = ({ manifests }: PackedPackages): readonly string[] =>
  [...manifests.values()].flatMap(({ optionalPeers }) => optionalPeers)

const attwOptions = ['--profile', 'esm-only', '--format', 'ascii', '--no-emoji']

const packagesWithSeparateTypes = ['express', 'ws', 'pg']

const typesOf = (names: readonly string[]): readonly string[] =>
  packagesWithSeparateTypes.filter((name) => names.includes(name)).map((name) => `@types/${name}`)

async function outputOfFailure(program: string, args: readonly string[]): Promise<readonly string[]> {
  try {
    await run(join('node_modules/.bin', program), args)
    return []
  } catch (error) {
    return [`${program}: ${error instanceof Error && 'stdout' in error ? error.stdout : error}`]
  }
}
