import { realpathSync } from 'node:fs'
import type { PackedPackage } from '../packages/pack-packages.ts'
import type { PackageManifest } from '../packages/package-manifest.ts'
import type { Budget } from './budgets.ts'
import { installedDependencies } from './installed-dependencies.ts'

export type Weight = Omit<Budget, 'importMilliseconds'>

const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)

/** What each package weighs as it was packed, and what it brings along into an installation. */
export function weighPackages(
  manifests: ReadonlyMap<string, PackageManifest>,
  packed: ReadonlyMap<string, PackedPackage>,
): ReadonlyMap<string, Weight> {
  const folders = new Map([...manifests.values()].map(({ name, folder }) => [realpathSync(folder), name]))
  const unpacked = (name: string) => packed.get(name)?.unpackedBytes ?? 0
  return new Map(
    [...manifests.values()].map(({ name, folder }) => {
      const { count, bytes } = installedDependencies(folder, (each) => unpacked(folders.get(each) ?? ''))
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
