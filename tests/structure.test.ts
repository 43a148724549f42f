import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { declaredNames } from './declared-names.ts'
import { importCycles } from './import-cycles.ts'
import { wrongForms } from './module-forms.ts'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const names = readdirSync('packages')
const cores = names.filter((name) => name.endsWith('-core'))
const manifest = (name: string): Manifest => JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))

const sources = (name: string) =>
  globSync(`packages/${name}/src/**/*.{ts,tsx}`).map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const isTest = (file: string) => /\.test(-d)?\.tsx?$/.test(file)

const imported = (text: string): readonly string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)

/** Returns the names that the file of an entry exports. */
const exportedNames = (text: string): readonly string[] =>
  ts
    .createSourceFile('entry.ts', text, ts.ScriptTarget.Latest)
    .statements.flatMap((statement) =>
      ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name }) => name.text)
        : [],
    )

/** Returns the names that a file declares and exports. */
const declaredIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:const|function|class|interface|type) (\w+)/gm)].map(
    ([, one = '']) => one,
  )

/** Names to which the rules for names do not apply, with the reason. */
const exemptNames: ReadonlyMap<string, string> = new Map([
  ['delayMilliseconds', 'impairments are stored as JSON, with the instances that they belong to'],
  ['jitterMilliseconds', 'impairments are stored as JSON, with the instances that they belong to'],
])

/** Returns the declared names of a package that the pattern matches, with their files. Only sources with the word are parsed. */
const namesLike = (name: string, word: RegExp, pattern: RegExp): readonly string[] =>
  sources(name)
    .filter(({ text }) => word.test(text))
    .flatMap(({ file, text }) =>
      declaredNames(file, text)
        .filter((one) => pattern.test(one) && !exemptNames.has(one))
        .map((one) => `${file}: ${one}`),
    )

/** Returns whether a file is part of the built page. The package contains the build, so its users do not install what it imports. */
const isBuilt = (file: string) => /^packages\/console\/src\/(app\/|assets\/build-app)/.test(file)

/** Returns the Trivium packages that the published sources of a package may import. */
function allowed(name: string): readonly string[] {
  if (name === 'http-contract') return []
  if (name.endsWith('-adapter') || name === 'http-client') return ['http-contract']
  if (name.endsWith('-core')) return ['http-contract']
  if (name === 'console') return ['http-contract', 'http-client', ...cores]
  if (name === 'provider-kit') return ['gateway-core']
  if (name.endsWith('-provider') || name === 'search-engines') return [...cores, 'provider-kit']
  return cores
}

describe.each(names)('%s', (name) => {
  const published = sources(name).filter(({ file }) => !isTest(file))

  it('imports only packages of lower layers', () => {
    const wrong = published.flatMap(({ file, text }) =>
      imported(text)
        .flatMap((specifier) => /^@trivium\/([^/]+)/.exec(specifier)?.[1] ?? [])
        .filter((target) => target !== name && !allowed(name).includes(target))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('declares every package that it imports', () => {
    const { dependencies, devDependencies, peerDependencies } = manifest(name)
    const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
    const declaredToBuild = new Set(Object.keys({ ...dependencies, ...devDependencies }))
    const wrong = published.flatMap(({ file, text }) =>
      imported(text)
        .filter((specifier) => !/^(\.|#|node:)/.test(specifier))
        .map((specifier) =>
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((target) => target !== `@trivium/${name}`)
        .filter((target) => !(isBuilt(file) ? declaredToBuild : declared).has(target))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no files that import each other in a cycle', () => {
    const imports = new Map(
      published.map(({ file, text }) => [
        file,
        imported(text)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => join(file, '..', specifier)),
      ]),
    )
    expect(importCycles(imports)).toEqual([])
  })

  it('ends names of milliseconds with Ms', () => {
    expect(namesLike(name, /milli/i, /.Milli(second)?s$|_MILLI(SECOND)?S$/)).toEqual([])
  })

  it('calls a directory of a file system a directory', () => {
    expect(namesLike(name, /folder/i, /(^f|F)older(?=s?([A-Z\d_]|$))|FOLDER/)).toEqual([])
    expect(sources(name).filter(({ file }) => /\bfolders?\b/.test(file.split('/').at(-1) ?? ''))).toEqual([])
  })

  it('writes functions and constants of a module in one form', () => {
    const production = published.filter(({ file }) => !file.includes('/conformance/'))
    expect(production.flatMap(({ file, text }) => wrongForms(file, text))).toEqual([])
  })

  it('has a source for every export', () => {
    for (const target of Object.values(manifest(name).exports)) {
      if (typeof target !== 'object' || target === null || !('@trivium/source' in target)) continue
      expect(existsSync(`packages/${name}/${String(target['@trivium/source'])}`)).toBe(true)
    }
  })
})

describe.each(
  names.filter((name) => /-(adapter|emulators|engines|provider|repositories|volumes)$/.test(name)),
)('%s', (name) => {
  it('names its adapters by nouns, or with open', () => {
    const entries = sources(name).filter(({ file }) => file.endsWith('/index.ts') && !file.includes('/conformance/'))
    expect(entries.flatMap(({ text }) => [...text.matchAll(/\bcreate[A-Z]\w*/g)].map(([one]) => one))).toEqual([])
  })
})

describe.each(cores)('%s', (name) => {
  const domain = name.replace('-core', '')
  const capital = domain.charAt(0).toUpperCase() + domain.slice(1)

  it('has the same entries as its siblings', () => {
    expect(Object.keys(manifest(name).exports)).toEqual([
      '.',
      './http',
      './ports',
      './memory',
      './conformance',
      './package.json',
    ])
  })

  it('exports each name from one entry', () => {
    const entries = ['index.ts', 'http/index.ts', 'ports.ts', 'memory/index.ts', 'conformance/index.ts']
    const exported = entries.flatMap((entry) =>
      exportedNames(readFileSync(`packages/${name}/src/${entry}`, 'utf8')).map((one) => ({ one, entry })),
    )
    const twice = exported.filter(({ one, entry }) => exported.some((it) => it.one === one && it.entry !== entry))
    expect(twice).toEqual([])
  })

  it('exports the same names from the same entries as its siblings', async () => {
    expect(Object.keys(await import(`@trivium/${name}`))).toContain(`create${capital}`)
    const http = Object.keys(await import(`@trivium/${name}/http`))
    expect(http).toEqual(expect.arrayContaining([`${domain}Contract`, `${domain}Routes`]))
    const conformance: Readonly<Record<string, unknown>> = await import(`@trivium/${name}/conformance`)
    const suites = Object.keys(conformance).filter((key) => typeof conformance[key] === 'function')
    expect(Object.keys(await import(`@trivium/${name}/memory`))).toContain(`memory${capital}Repositories`)
    expect(suites.length).toBeGreaterThan(0)
    expect(suites.filter((suite) => !suite.endsWith('Conformance') && !suite.startsWith('arbitrary'))).toEqual([])
  })

  it('has the same files with the same names as its siblings', () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      [`create-${domain}.ts`]: [capital, `create${capital}`],
      [`${domain}-options.ts`]: [`${capital}Options`],
      [`${domain}-repositories.ts`]: [`${capital}Repositories`],
      [`events/${domain}-events.ts`]: [`${capital}Events`],
      [`metrics/${domain}-metrics.ts`]: [`${domain}Metrics`],
      'metrics/record-metrics.ts': ['recordMetrics'],
      'http/contract.ts': [`${domain}Contract`],
      'http/options.ts': [`${capital}RoutesOptions`],
      'http/routes.ts': [`${domain}Routes`],
      'http/errors/failure.ts': ['Failure', 'FailureBody', 'FailureStatus', 'failure', 'failureResponses'],
      'http/errors/failure-reply.ts': ['failureReply'],
      'http/errors/failures.ts': ['failures'],
      'http/errors/input-failure.ts': ['inputFailure'],
      'http/errors/to-failure.ts': ['toFailure'],
    }
    const missing = Object.entries(expected).flatMap(([file, exported]) =>
      exported
        .filter((one) => !declaredIn(`packages/${name}/src/${file}`).includes(one))
        .map((one) => `${file}: ${one}`),
    )
    expect(missing).toEqual([])
  })

  it.each([
    'check-arguments',
    'check-options',
    'check-range',
    'clock-watch',
    'create-store',
    'fault-reporter',
    'lifetime',
    'store-failure',
    'wrap-methods',
    'events/create-events',
    'metrics/measure',
    'metrics/metrics-recorder',
    'metrics/open-telemetry-metrics',
  ])('has the same %s.ts as its siblings', (file) => {
    const lines = (core: string, neutral = (text: string) => text) => {
      const all = neutral(readFileSync(`packages/${core}/src/${file}.ts`, 'utf8')).split('\n')
      // Imports are sorted by the name of the core, too.
      return [
        ...all.filter((line) => line.startsWith('import ')).sort(),
        ...all.filter((line) => !line.startsWith('import ')),
      ]
    }
    const own = lines(name, (text) => text.replaceAll(capital, 'Gateway').replaceAll(domain, 'gateway'))
    expect(own).toEqual(lines('gateway-core'))
  })

  it('has the same options and the same lifecycle as its siblings', () => {
    const source = (file: string) => readFileSync(`packages/${name}/src/${file}`, 'utf8')
    const options = source(`${domain}-options.ts`)
    for (const member of [
      'onFault?: (error: unknown, operation?: string) => void',
      'now?: () => Date',
      'newId?: () => string',
    ]) {
      expect(options).toContain(`  readonly ${member}\n`)
    }
    const routes = source('http/options.ts')
    expect([...routes.matchAll(/^ {2}readonly (\w+)/gm)].map(([, member]) => member).slice(0, 3)).toEqual([
      'admin',
      'authorize',
      'onFault',
    ])
    expect(routes).toMatch(
      / {2}readonly onFault\?: \(error: unknown, operation: Operation( \| SocketOperation)?, id: string\) => void\n/,
    )
    expect(routes).toMatch(/ {2}readonly authorize\?: AccessRules<[\w |]+, A\w+Rule<Host>>\n/)
    const service = source(`create-${domain}.ts`)
    expect(service).toContain(`  readonly events: EventEmitter<${capital}Events>\n`)
    expect(service).toContain('  readonly onFault: (error: unknown, operation?: string) => void\n')
    expect(service).toMatch(/ {2}start\(\): Promise<\w+>\n/)
    expect(service).toContain('  close(): Promise<void>\n')
  })

  it('uses no API of Node', () => {
    const wrong = sources(name)
      .filter(({ file }) => !isTest(file) && !file.includes('/conformance/'))
      .filter(
        ({ text }) =>
          imported(text).some((specifier) => specifier.startsWith('node:')) ||
          /\bprocess\.(env|argv|exit|on|once|cwd|nextTick|versions?)\b/.test(text),
      )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  it('imports http-contract only in its http folder', () => {
    const wrong = sources(name)
      .filter(({ file }) => !file.includes(`/${name}/src/http/`) && !isTest(file))
      .filter(({ text }) => imported(text).some((specifier) => specifier.startsWith('@trivium/http-contract')))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  it('has wire paths only in its http folder', () => {
    const wrong = sources(name)
      .filter(({ file }) => !file.includes(`/${name}/src/http/`) && !isTest(file))
      .filter(({ text }) => /\/(api|v1)\/|\b(GET|POST|PUT|PATCH|DELETE) \//.test(text))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  it('imports its http folder only in that folder', () => {
    const wrong = sources(name)
      .filter(({ file }) => !file.includes(`/${name}/src/http/`) && !isTest(file) && !file.includes('/conformance/'))
      .filter(({ text }) => imported(text).some((specifier) => /\/http\//.test(specifier) && specifier.startsWith('.')))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

it.each([
  'scripts',
  'examples/*/src',
])('writes functions and constants of the modules of %s in one form', (directory) => {
  const files = globSync(`${directory}/**/*.ts`).filter((file) => !isTest(file))
  expect(files.flatMap((file) => wrongForms(file, readFileSync(file, 'utf8')))).toEqual([])
})
