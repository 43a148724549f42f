import { realpathSync } from 'node:fs'
import type { PackedPackage } from '../packages/pack-packages.ts'
import type { PackageManifest } from '../packages/package-manifest.ts'
import type { Budget } from './budgets.ts'
import { installedDependencies } from './installed-dependencies.ts'

export type Weight = Omit<Budget, 'importMs'>

const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)

/** Returns the size of each packed package, and of the dependencies that its installation adds. */
export function weighPackages(
  manifests: ReadonlyMap<string, PackageManifest>,
  packed: ReadonlyMap<string, PackedPackage>,
): ReadonlyMap<string, Weight> {
  const directories = new Map([...manifests.values()].map(({ name, directory }) => [realpathSync(directory), name]))
  const unpacked = (name: string) => packed.get(name)?.unpackedBytes ?? 0
  return new Map(
    [...manifests.values()].map(({ name, directory }) => {
      const { count, bytes } = installedDependencies(directory, (each) => unpacked(directories.get(each) ?? ''))
      return [
        name,
        {
          packedKilobytes: kilobytes(packed.get(name)?.packedBytes ?? 0),
          unpackedKilobytes: kilobytes(unpacked(name)),
          dependencies: count,
          dependenciesKilobytes: kilobytes(bytes),
        },
      ]
    }),
  )
}
