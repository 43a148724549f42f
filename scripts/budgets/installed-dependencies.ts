import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface InstalledDependencies {
  readonly count: number
  readonly bytes: number
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Counts a package's production dependencies in this installation, with their own, and sums their sizes. */
export function installedDependencies(
  directory: string,
  sizeOfOurs: (directory: string) => number,
): InstalledDependencies {
  const found = new Set<string>()
  collect(realpathSync(directory), found)
  let bytes = 0
  for (const each of found) bytes += isOurs(each) ? sizeOfOurs(each) : sizeOf(each)
  return { count: found.size, bytes }
}

const isOurs = (directory: string) => !directory.includes('/node_modules/')

function collect(directory: string, found: Set<string>): void {
  const { dependencies, optionalDependencies = {} }: Manifest = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = resolveFrom(directory, name)
    // An optional dependency can be for another platform.
    if (place === undefined && name in optionalDependencies) continue
    if (place === undefined) throw new Error(`${directory} depends on ${name}, which is not installed`)
    if (found.has(place)) continue
    found.add(place)
    collect(place, found)
  }
}

/** Returns the directory in which Node finds the package. */
function resolveFrom(directory: string, name: string): string | undefined {
  for (let place = directory; place !== dirname(place); place = dirname(place)) {
    const candidate = join(place, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  }
  return undefined
}

/** Sums the sizes of the files, without those of nested packages. */
const sizeOf = (directory: string): number =>
  globSync('**', { cwd: directory, exclude: ['**/node_modules'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
