import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import type { ProjectDirectory } from '@trivium/emulation-core/ports'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDirectoryProjectFiles } from './directory-project-files.ts'

/** Replaces the first directory by a link to the other and restores it, until `running` is 0. */
const swapScript = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs')
  const { workerData: { directory, other, running, swaps } } = require('node:worker_threads')
  while (Atomics.load(running, 0) === 1) {
    try {
      renameSync(directory, directory + '.real')
      symlinkSync(other, directory)
      for (let wait = Math.random() * 2000; wait > 0; wait -= 1);
      unlinkSync(directory)
      renameSync(directory + '.real', directory)
      Atomics.add(swaps, 0, 1)
    } catch {
      // The action has created a directory at this path.
      try {
        rmSync(directory, { recursive: true, force: true })
        renameSync(directory + '.real', directory)
      } catch {}
    }
    for (let wait = Math.random() * 2000; wait > 0; wait -= 1);
  }
`

const leastSwaps = 200
const leastAttempts = 200
const mostAttempts = 3000

/** Repeats the action while a worker replaces the directory by a link and restores it. */
async function whileSwapping(directory: string, other: string, action: () => Promise<unknown>): Promise<void> {
  const [running, swaps] = [new Int32Array(new SharedArrayBuffer(4)), new Int32Array(new SharedArrayBuffer(4))]
  Atomics.store(running, 0, 1)
  const worker = new Worker(swapScript, { eval: true, workerData: { directory, other, running, swaps } })
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  try {
    for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
      if (attempts >= leastAttempts && Atomics.load(swaps, 0) >= leastSwaps) break
      await action().catch(() => {})
    }
  } finally {
    Atomics.store(running, 0, 0)
    await ended
  }
}

describe('directories that are replaced by links between the check and the use', () => {
  let outside: string
  let project: ProjectDirectory
  let files: Awaited<ReturnType<typeof openDirectoryProjectFiles>>
  // Any string is valid as an id here: it is not parsed.
  const id = 'one' as InstanceId
  const instance = () => ({ project, kind: 'virtual-pc', id }) as const

  beforeEach(async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'swapped-links-')))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    outside = join(root, 'outside')
    await mkdir(join(outside, 'deeper'), { recursive: true })
    for (const name of ['startup.vpc', 'a.pcap', 'deeper/kept']) await writeFile(join(outside, name), 'secret')
    files = await openDirectoryProjectFiles({ location: join(root, 'projects') })
    // Any string is valid as an id here: it is not parsed.
    project = { id: 'p' as ProjectId, path: join(files.location, 'p'), temporary: false }
    await files.openProject(project)
    await files.writeText(instance(), 'startup.vpc', 'own')
    await (await files.createCapture(project, 'a.pcap')).close()
  })

  const captures = () => join(project.path, 'project-files', 'captures')

  it('never lead a read outside the project', async () => {
    const seen = new Set<string | undefined>()
    await whileSwapping(files.instancePath(instance()), outside, async () => {
      seen.add(await files.readText(instance(), 'startup.vpc'))
    })
    await whileSwapping(captures(), outside, async () => {
      const source = await files.readCapture(project, 'a.pcap', { follow: false, signal: new AbortController().signal })
      for await (const piece of source ?? []) seen.add(Buffer.from(piece).toString())
      for (const { bytes } of await files.captures(project)) seen.add(bytes === 0 ? undefined : `${bytes} bytes`)
    })
    expect([...seen].filter((text) => text !== undefined && text !== 'own')).toEqual([])
  }, 60_000)

  it('never lead a write or a removal outside the project', async () => {
    const before = await readdir(outside)
    await whileSwapping(files.instancePath(instance()), outside, async () => {
      await files.writeText(instance(), 'startup.vpc', 'own')
      await files.writeText(instance(), 'another', 'own')
      await files.removeText(instance(), 'startup.vpc')
    })
    await whileSwapping(captures(), outside, async () => {
      const capture = await files.createCapture(project, 'a.pcap')
      capture.write(Buffer.from('own'))
      await capture.close()
      await files.removeCapture(project, 'a.pcap')
    })
    expect(await readdir(outside)).toEqual(before)
    for (const name of ['startup.vpc', 'a.pcap']) expect(await readFile(join(outside, name), 'utf8')).toBe('secret')
  }, 60_000)

  it('never lead the removal of an instance outside the project', async () => {
    const deep = join(files.instancePath(instance()), 'deep')
    await whileSwapping(deep, outside, async () => {
      await mkdir(join(deep, 'deeper'), { recursive: true })
      await files.removeInstance(instance())
    })
    expect(await readFile(join(outside, 'deeper', 'kept'), 'utf8')).toBe('secret')
  }, 60_000)

  it('never lead the move of a project to copy outside files', async () => {
    let moves = 0
    const copied = new Set<string>()
    await whileSwapping(files.instancePath(instance()), outside, async () => {
      moves += 1
      const to = { ...project, path: join(files.location, `moved-${moves}`) }
      await files.moveProject(project, to).catch(() => {})
      const copy = await files.readText({ project: to, kind: 'virtual-pc', id }, 'startup.vpc')
      if (copy !== undefined) copied.add(copy)
    })
    // A move can miss the directory while it is replaced. An undisturbed move copies it.
    expect([...copied].filter((text) => text !== 'own')).toEqual([])
    // Any string is valid as an id here: it is not parsed.
    const undisturbed = { ...project, id: 'calm' as ProjectId, path: join(files.location, 'calm') }
    await files.openProject(undisturbed)
    await files.writeText({ ...instance(), project: undisturbed }, 'startup.vpc', 'own')
    const moved = { ...undisturbed, path: join(files.location, 'calm-moved') }
    await files.moveProject(undisturbed, moved)
    expect(await files.readText({ ...instance(), project: moved }, 'startup.vpc')).toBe('own')
  }, 60_000)
})
