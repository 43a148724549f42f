import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Asset, Assets } from './assets.ts'
import { readAssets } from './read-assets.ts'

const packageRoot = join(import.meta.dirname, '../..')
const cache = join(packageRoot, 'node_modules/.cache/console')
const sources = ['vite.config.ts', 'src/app/**/*', '../{http-client,http-contract,*-core}/{src/**/*,package.json}']

/** How many builds are kept. */
const KEPT = 3

let last: { readonly fingerprint: string; readonly assets: Promise<Assets> } | undefined

/** What pages that were opened before still ask for: its names have hashes. */
let earlier: Assets = new Map()

/** A file of the page as its sources are now: built where no build of them is kept, by a process of its own. */
export async function findAsset(path: string): Promise<Asset | undefined> {
  const known = (await last?.assets)?.get(path)
  return known?.immutable ? known : (await openAssets()).get(path)
}

function openAssets(): Promise<Assets> {
  const fingerprint = fingerprintOfSources()
  if (last?.fingerprint !== fingerprint) {
    const assets = build(fingerprint).then((built) => {
      const all = new Map([...earlier, ...built])
      earlier = new Map([...all].filter(([, { immutable }]) => immutable))
      return all
    })
    last = { fingerprint, assets }
    // A build that failed is tried again.
    assets.catch(() => {
      last = undefined
    })
  }
  return last.assets
}

function fingerprintOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: packageRoot }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(join(packageRoot, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function build(fingerprint: string): Promise<Assets> {
  const directory = join(cache, fingerprint)
  if (!(await exists(directory))) {
    const draft = `${directory}.${process.pid}`
    await mkdir(cache, { recursive: true })
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build-app.ts'), draft], {
      cwd: packageRoot,
    })
    // Another process may have built the same meanwhile.
    await rename(draft, directory).catch(() => rm(draft, { recursive: true }))
    await removeOld()
  }
  return readAssets(directory)
}

async function removeOld(): Promise<void> {
  const byAge = (await readdir(cache))
    .map((name) => join(cache, name))
    .map((directory) => ({ directory, age: -statSync(directory).mtimeMs }))
    .sort((one, other) => one.age - other.age)
  await Promise.all(byAge.slice(KEPT).map(({ directory }) => rm(directory, { recursive: true, force: true })))
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
