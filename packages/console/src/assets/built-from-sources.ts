import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Assets, AssetsOptions, AssetsState } from './assets.ts'
import { createAssetsState } from './assets-state.ts'
import { fingerprintOfSources, packageRoot } from './fingerprint.ts'
import { readAssets } from './read-assets.ts'
import { STAMP } from './stamp.ts'

const ownCache = join(packageRoot, 'node_modules/.cache/console')

/**
 * Opens the page of the current sources: a build by `npm run build` or by an earlier start, otherwise a new build in a
 * separate process.
 */
export function openAssets({ buildDirectory = ownCache, signal, onFault }: AssetsOptions): AssetsState {
  let fingerprint: Promise<string> | undefined
  const known = () => {
    fingerprint ??= fingerprintOfSources()
    return fingerprint
  }
  return createAssetsState({
    find: async () => find(await known(), buildDirectory),
    build: async () => build(join(buildDirectory, await known()), signal),
    onFault: (error) => {
      if (signal?.aborted !== true) onFault(error)
    },
  })
}

async function find(fingerprint: string, buildDirectory: string): Promise<Assets | undefined> {
  const kept = [ownCache, buildDirectory].map((directory) => join(directory, fingerprint))
  for (const directory of [join(packageRoot, 'dist/app'), ...kept]) {
    if ((await stampOf(directory)) === fingerprint) return readAssets(directory)
  }
  return undefined
}

async function build(directory: string, signal: AbortSignal | undefined): Promise<Assets> {
  const draft = `${directory}.${process.pid}`
  try {
    await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build-app.ts'), draft, '--for-a-host'], {
      cwd: packageRoot,
      // The build receives no secrets of the host.
      env: { PATH: process.env.PATH },
      ...(signal && { signal }),
    })
    // Another process can have built the same page in the meantime.
    await rename(draft, directory).catch(() => {})
    const assets = await readAssets(directory)
    await removeOthers(directory)
    return assets
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes builds of earlier sources. A process that serves one has it in memory. */
async function removeOthers(kept: string): Promise<void> {
  const names = (await readdir(dirname(kept))).filter((name) => /^[\da-f]{16}$/.test(name) && name !== basename(kept))
  await Promise.all(names.map((name) => rm(join(dirname(kept), name), { recursive: true, force: true })))
}

/** Returns the fingerprint of a build; `undefined` without a build. */
const stampOf = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, STAMP), 'utf8').catch(() => undefined)
