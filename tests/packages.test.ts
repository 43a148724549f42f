import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The fields of a manifest that users see before they install a package. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly repository: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly dependencies?: Ranges
  readonly peerDependencies?: Ranges
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
  readonly devDependencies?: Ranges
}

type Ranges = Readonly<Record<string, string>>

const manifestOf = (directory: string): Manifest => JSON.parse(readFileSync(`${directory}/package.json`, 'utf8'))

const root = manifestOf('.')
const manifests = globSync('packages/*/package.json')
  .map((file) => basename(dirname(file)))
  .sort()
  .map((name) => ({ name, manifest: manifestOf(`packages/${name}`) }))

const fields = [
  ...['name', 'version', 'description', 'keywords', 'repository', 'license', 'author', 'type', 'sideEffects'],
  ...['engines', 'exports', 'imports', 'bin', 'files', 'scripts'],
  ...['dependencies', 'peerDependencies', 'peerDependenciesMeta', 'devDependencies', 'publishConfig'],
]

describe.each(manifests)('the package $name', ({ name, manifest }) => {
  it('has the same manifest fields as its siblings', () => {
    expect(manifest).toMatchObject({
      name: `@trivium/${name}`,
      version: manifests[0]?.manifest.version,
      repository: { ...root.repository, directory: `packages/${name}` },
      license: 'MIT',
      author: 'The Trivium authors',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=22.19' },
      publishConfig: { access: 'public' },
    })
    expect(Object.keys(manifest)).toEqual(fields.filter((field) => field in manifest))
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'src', '!src/**/*.test.*', '!src/**/*.test-d.*']))
  })

  it('has a description of one line, and keywords', () => {
    expect(manifest.description).toMatch(/^[A-Z].{20,120}[^.]$/)
    expect(manifest.keywords[0]).toBe('trivium')
    expect(manifest.keywords.length).toBeGreaterThan(3)
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length)
  })

  it('exports sources, types and code of each entry, in that order', () => {
    const { './package.json': own, ...entries } = manifest.exports
    expect(own).toBe('./package.json')
    for (const entry of Object.values(entries)) {
      const source = String(Object(entry)['@trivium/source'])
      const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
      expect(entry).toEqual({ '@trivium/source': source, types: `${built}.d.ts`, default: `${built}.js` })
      expect(Object.keys(Object(entry))).toEqual(['@trivium/source', 'types', 'default'])
    }
  })

  it('depends on its siblings of the same version', () => {
    const { dependencies, peerDependencies, devDependencies } = manifest
    for (const ranges of [dependencies, peerDependencies, devDependencies]) {
      const keys = Object.keys(ranges ?? {})
      expect(keys).toEqual(keys.toSorted())
    }
    for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      if (dependency.startsWith('@trivium/')) expect([dependency, range]).toEqual([dependency, `^${manifest.version}`])
    }
  })

  it('marks only declared peers as optional', () => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    for (const peer of Object.keys(peerDependenciesMeta)) expect(Object.keys(peerDependencies)).toContain(peer)
  })

  it('contains the licence', () => {
    expect(readFileSync(`packages/${name}/LICENSE`, 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
  })

  it('has a README with its purpose, its installation, and code that needs no further package', () => {
    const text = readFileSync(`packages/${name}/README.md`, 'utf8')
    const [, install = ''] = /^# .+\n\n[^#]+?\n\n```sh\nnpm install (.+)\n```\n\n```ts\n/.exec(text) ?? []
    const installed = install.split(' ')
    expect(installed[0]).toBe(`@trivium/${name}`)
    expect(text.startsWith(`# @trivium/${name}\n`)).toBe(true)
    const [, first = ''] = /^```ts\n(.*?)^```$/ms.exec(text) ?? []
    const imported = [...first.matchAll(/from '((?:@[^/']+\/)?[^/']+)/g)].map(([, specifier]) => specifier)
    const needed = imported.filter((specifier) => !specifier?.startsWith('node:'))
    expect(needed.filter((specifier) => !installed.includes(specifier ?? ''))).toEqual([])
  })

  it('has the same version in code as in the manifest', () => {
    const file = `packages/${name}/src/version.ts`
    if (existsSync(file)) expect(readFileSync(file, 'utf8')).toContain(`VERSION = '${manifest.version}'`)
  })
})

// npm also refuses an optional peer outside of its range, so users with an older one could not install the package.
it.each([
  'dependencies',
  'peerDependencies',
] as const)('requires each of %s in the same range in every package', (kind) => {
  const ranges = manifests.flatMap(({ manifest }) => Object.entries(manifest[kind] ?? {}))
  const distinct = new Set(ranges.map(([dependency, range]) => `${dependency}@${range}`))
  expect(distinct.size).toBe(new Set(ranges.map(([dependency]) => dependency)).size)
})
