import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface PackageManifest {
  readonly name: string
  readonly version: string
  /** The path relative to the repository. */
  readonly directory: string
  /** The specifier of each entry, such as `@trivium/gateway-core/http`. */
  readonly specifiers: readonly string[]
  readonly dependencies: Ranges
  /** The peers that are not optional. */
  readonly peers: Ranges
  readonly optionalPeers: readonly string[]
}

export type Ranges = Readonly<Record<string, string>>

interface ManifestFile {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Ranges
  readonly peerDependencies?: Ranges
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Reads the manifest of every published package, by name. */
export function readManifests(): ReadonlyMap<string, PackageManifest> {
  return new Map(
    globSync('packages/*/package.json')
      .sort()
      .map((file) => {
        const manifest = readManifest(file)
        return [manifest.name, manifest]
      }),
  )
}

function readManifest(file: string): PackageManifest {
  const {
    name,
    version,
    exports,
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  }: ManifestFile = JSON.parse(readFileSync(file, 'utf8'))
  const isOptional = (peer: string) => peerDependenciesMeta[peer]?.optional === true
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
  return {
    name,
    version,
    directory: dirname(file),
    specifiers: entries.map((entry) => `${name}${entry.slice(1)}`),
    dependencies,
    peers: Object.fromEntries(Object.entries(peerDependencies).filter(([peer]) => !isOptional(peer))),
    optionalPeers: Object.keys(peerDependencies).filter(isOptional),
  }
}
