import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The fields of a lock file about the source of a package and its install scripts. */
interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly gypfile?: boolean
  readonly allowScripts?: Readonly<Record<string, boolean>>
  /** npm's older form of `license`, which lock files do not contain. */
  readonly licenses?: readonly { readonly type: string }[]
}

const manifestOf = (directory: string): Manifest => JSON.parse(readFileSync(`${directory}/package.json`, 'utf8'))

/** Returns the packages of a lock file that are not in this repository. */
function packagesOf(lockFile: string): ReadonlyMap<string, Locked> {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(readFileSync(lockFile, 'utf8'))
  return new Map(Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const lockFiles = [
  'package-lock.json',
  'benchmarks/peers/package-lock.json',
  'site/package-lock.json',
  ...globSync('tests/clients/projects/*/package-lock.json').toSorted(),
  'tests/outside/bundlers/package-lock.json',
  'tests/outside/suites/package-lock.json',
]
const locked = packagesOf('package-lock.json')
const mentioned = Object.keys(manifestOf('.').allowScripts ?? {})

/** Licences that allow any use in any product, at most with a notice. */
const permissive = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'MIT',
    'MIT-0',
    'Unlicense',
    'CC0-1.0',
    'WTFPL',
  ],
]
/** Licences of tools for bundling, tests and spelling. No published package contains these tools. */
const ofTools: Readonly<Record<string, RegExp>> = {
  'MPL-2.0': /^(?:lightningcss(?:-.*)?|axe-core|@axe-core\/playwright)$/,
  'CC BY-SA 4.0': /^@cspell\/dict-en-common-misspellings$/,
}

/** Licences of single files, whose package is in the page of the console as it is. Its notices name the source. */
const ofPages: Readonly<Record<string, RegExp>> = { 'MPL-2.0': /^@novnc\/novnc$/ }

const licenseOf = (path: string, { license }: Locked): string =>
  license ??
  manifestOf(path)
    .licenses?.map(({ type }) => type)
    .join(' OR ') ??
  'none'

/** Returns whether a licence expression is allowed: one side of `A OR B`, both of `A AND B`. */
const isAmong = (license: string, allowed: readonly string[]): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)))

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** Returns whether npm runs a script of the package on install. npm also builds a `binding.gyp` unless `gypfile` is `false`. */
function runsOnInstall(directory: string): boolean {
  const { scripts = {}, gypfile } = manifestOf(directory)
  return (
    INSTALL_SCRIPTS.some((name) => name in scripts) || (gypfile !== false && existsSync(`${directory}/binding.gyp`))
  )
}

describe.each(lockFiles)('the dependencies in %s', (lockFile) => {
  it('come only from the registry, each with its checksum', () => {
    const strays = [...packagesOf(lockFile)].flatMap(([path, { version, resolved, integrity, inBundle }]) =>
      inBundle === true ||
      (/^\d+\.\d+\.\d+/.test(version ?? '') &&
        /^sha512-[\w+/]{86}==$/.test(integrity ?? '') &&
        /^(?:https:\/\/registry\.npmjs\.org\/|$)/.test(resolved ?? ''))
        ? []
        : [path],
    )
    expect(strays).toEqual([])
  })
})

describe('the dependencies', () => {
  it('run no script on install, unless `allowScripts` of the manifest has an entry for them', () => {
    const running = [...locked].filter(([, { hasInstallScript }]) => hasInstallScript === true)
    expect(running.map(([path]) => nameOf(path)).filter((name) => !mentioned.includes(name))).toEqual([])
  })

  it('contain no install script that the lock file does not name', () => {
    const hidden = [...locked].filter(
      ([path, { hasInstallScript }]) => existsSync(path) && hasInstallScript !== true && runsOnInstall(path),
    )
    expect(hidden.map(([path]) => path)).toEqual([])
  })

  it('appear in `allowScripts` only while they are used', () => {
    const names = new Set([...locked.keys()].map(nameOf))
    expect(mentioned.filter((name) => !names.has(name))).toEqual([])
  })

  it('allow any use of the published packages by their licences', () => {
    const others = [...locked]
      .map(([path, one]) => ({ path, license: licenseOf(path, one) }))
      .filter(({ license }) => !isAmong(license, permissive))
      .filter(({ path, license }) => ![ofTools, ofPages].some((known) => known[license]?.test(nameOf(path))))
    expect(others.map(({ path, license }) => `${path}: ${license}`)).toEqual([])
  })
})

it.each(
  globSync('packages/*/package.json').map((file) => file.slice(0, -'/package.json'.length)),
)('%s runs no script on install', (directory) => {
  const { scripts = {} } = manifestOf(directory)
  const automatic = [...INSTALL_SCRIPTS, 'prepare']
  expect(Object.keys(scripts).filter((name) => automatic.includes(name))).toEqual([])
  expect(existsSync(`${directory}/binding.gyp`)).toBe(false)
})

it.each(['bundlers', 'suites'])('installs all dependencies of the packages in tests/outside/%s', (project) => {
  const needed = globSync('packages/*/package.json')
    .map((file) => dirname(file))
    .flatMap((directory) => Object.keys(manifestOf(directory).dependencies ?? {}))
    .filter((name) => !name.startsWith('@trivium/'))
  const installed = Object.keys(manifestOf(`tests/outside/${project}`).dependencies ?? {})
  expect(needed.filter((name) => !installed.includes(name))).toEqual([])
})
