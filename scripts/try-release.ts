import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'

/**
 * Makes a release in a copy of the repository, up to the registry: versions and changelogs from the changesets, then a
 * dry publish of what was built. Prints the changelogs. Nothing leaves the machine: the registry is on loopback and empty.
 */
const run = promisify(execFile)

const manifestSchema = v.object({ name: v.string(), version: v.string() })
const publishedSchema = v.record(
  v.string(),
  v.object({ version: v.string(), files: v.array(v.object({ path: v.string() })) }),
)

const copy = mkdtempSync(join(tmpdir(), 'trivium-release-'))
const problems: string[] = []
if (globSync('packages/*/dist/index.js').length === 0) {
  console.error('The packages are not built. Run "npm run build" first.')
  process.exit(2)
}
try {
  await copyRepository()
  const before = versions()
  const pending = globSync('.changeset/*.md', { cwd: copy }).length
  if (pending > 0) {
    await makeVersions(before)
    printChangelogs()
  }
  const published = await dryPublish([...before.keys()])
  for (const name of before.keys()) checkPublished(name, published[name])
  console.log(
    `${pending} changesets make ${[...new Set(versions().values())].join(', ')}; ${Object.keys(published).length} of ${before.size} packages would be published`,
  )
} finally {
  rmSync(copy, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

async function copyRepository(): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], { maxBuffer: 2 ** 26 })
  const built = globSync('packages/*/dist')
  for (const path of [...stdout.split('\0').filter((path) => path !== ''), ...built]) {
    cpSync(path, join(copy, path), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  // A changelog names the commit of each changeset.
  const author = [
    'user.name=Release',
    'user.email=release@localhost',
    'commit.gpgsign=false',
    'core.hooksPath=/dev/null',
  ].flatMap((setting) => ['-c', setting])
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all', '.changeset'],
    [...author, 'commit', '--quiet', '--message', 'x'],
  ]) {
    await run('git', args, { cwd: copy })
  }
}

function versions(): ReadonlyMap<string, string> {
  return new Map(
    globSync('packages/*/package.json', { cwd: copy })
      .map((file) => v.parse(manifestSchema, JSON.parse(readFileSync(join(copy, file), 'utf8'))))
      .map(({ name, version }) => [name, version]),
  )
}

async function makeVersions(before: ReadonlyMap<string, string>): Promise<void> {
  await run(join('node_modules/.bin', 'changeset'), ['version'], { cwd: copy })
  await run(process.execPath, ['scripts/write-versions.ts'], { cwd: copy })
  const after = versions()
  const distinct = new Set(after.values())
  if (distinct.size !== 1) problems.push(`Packages have different versions: ${[...distinct].join(', ')}`)
  for (const [name, version] of after) {
    const directory = join(copy, 'packages', name.replace('@trivium/', ''))
    if (version === before.get(name)) problems.push(`${name} keeps its version ${version}`)
    const changelog = readFileSync(join(directory, 'CHANGELOG.md'), 'utf8')
    if (!changelog.includes(`## ${version}`)) problems.push(`${name} has no changelog of ${version}`)
    const manifest = readFileSync(join(directory, 'package.json'), 'utf8')
    const others = [...manifest.matchAll(/"(@trivium\/[\w-]+)": "(\^.+)"/g)].filter(
      ([, , range]) => range !== `^${version}`,
    )
    for (const [, sibling, range] of others) problems.push(`${name} requires ${sibling} ${range}, not ^${version}`)
    for (const file of globSync('src/version.ts', { cwd: directory })) {
      const text = readFileSync(join(directory, file), 'utf8')
      if (!text.includes(`'${version}'`)) problems.push(`${name} has another version than ${version} in ${file}`)
    }
  }
}

/** What the release adds to each changelog, without the headings that all of them have. */
function printChangelogs(): void {
  for (const file of globSync('packages/*/CHANGELOG.md', { cwd: copy }).toSorted()) {
    const [, latest = ''] = readFileSync(join(copy, file), 'utf8').split(/^## /m)
    console.log(`${dirname(file)} ${latest.trim().replaceAll(/\n\n+/g, '\n')}\n`)
  }
}

async function dryPublish(names: readonly string[]): Promise<v.InferOutput<typeof publishedSchema>> {
  const registry = createServer((_request, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  try {
    const address = registry.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const parts = Array.from({ length: availableParallelism() }, (_, part) =>
      names.filter((_, index) => index % availableParallelism() === part),
    )
    const outputs = await Promise.all(
      parts.map((part) =>
        run(
          'npm',
          [
            ...['publish', '--dry-run', '--json', '--loglevel=error', '--registry', `http://127.0.0.1:${port}/`],
            ...part.flatMap((name) => ['--workspace', name]),
          ],
          { cwd: copy, maxBuffer: 2 ** 28 },
        ),
      ),
    )
    return Object.assign({}, ...outputs.map(({ stdout }) => v.parse(publishedSchema, JSON.parse(stdout))))
  } finally {
    registry.close()
  }
}

function checkPublished(name: string, published: v.InferOutput<typeof publishedSchema>[string] | undefined): void {
  if (!published) return void problems.push(`${name} would not be published`)
  const paths = published.files.map(({ path }) => path)
  for (const needed of ['LICENSE', 'README.md', 'package.json']) {
    if (!paths.includes(needed)) problems.push(`${name} would be published without ${needed}`)
  }
  if (!paths.some((path) => /^dist\/.*\.js$/.test(path))) problems.push(`${name} is not built`)
  const binaries = ['x64', 'arm64'].map((architecture) => `prebuilds/linux-${architecture}/node.napi.node`)
  for (const binary of name === '@trivium/native-datagrams' ? binaries : [])
    if (!paths.includes(binary)) problems.push(`${name} has no ${binary}`)
  const tests = paths.filter((path) => /\.test(-d)?\.|^tests\/|fixtures\//.test(path))
  if (tests.length > 0) problems.push(`${name} would publish tests: ${tests.join(', ')}`)
}
