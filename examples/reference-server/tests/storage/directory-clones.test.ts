import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const MiB = 2 ** 20
const CLONE = '/storage/file/clone'
const FILES = 3000

describe.each(['btrfs', 'xfs'] as const)('a server that clones directories on %s', async (fileSystem) => {
  const isMountable = await canMount(fileSystem)
  let mount: LoopMount
  let server: ServerProcess
  let volume: string
  const client = () => storageClient(server)
  const at = (path: string) => join(mount.directory, path)
  const fill = (path: string, megabytes: number) =>
    execFileSync('dd', ['if=/dev/urandom', `of=${at(path)}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'])
  const used = () => {
    execFileSync('sync', ['-f', mount.directory])
    const { bsize, blocks, bfree } = statfsSync(mount.directory)
    return bsize * (blocks - bfree)
  }
  const bodyOf = (source: string, destination: string, more = {}) => ({
    volume: { uuid: volume },
    source_path: source,
    destination_path: destination,
    ...more,
  })
  const clone = (source: string, destination: string, more = {}) =>
    client().call('POST', `${CLONE}?return_timeout=60`, bodyOf(source, destination, more))
  const refusal = async (source: string, destination: string, more = {}): Promise<unknown> => {
    const request = { method: 'POST', body: bodyOf(source, destination, more) }
    return (await server.ask(`/api${CLONE}?return_timeout=60`, request)).json()
  }
  const drafts = () => readdirSync(mount.directory).filter((name) => name.startsWith('.clone-'))

  beforeAll(async () => {
    if (!isMountable) return
    mount = await mountLoop(fileSystem, 1024)
    mkdirSync(at('project/many'), { recursive: true })
    fill('project/image', 200)
    for (let index = 0; index < FILES; index += 1) writeFileSync(at(`project/many/${index}`), `file ${index}`)
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
    volume = await client().volume('vol1')
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it.skipIf(!isMountable)(
    'takes no space for a clone, and shows its files as shared',
    { timeout: 120_000 },
    async () => {
      const before = used()
      await clone('project', 'copy')
      expect(used() - before).toBeLessThan(24 * MiB) // metadata of 3,000 files
      execFileSync('diff', ['-r', at('project'), at('copy')])
      expect(await client().call('GET', `/storage/volumes/${volume}/files/copy`)).toMatchObject({ type: 'directory' })
      expect(await client().call('GET', `/storage/volumes/${volume}/files/copy%2Fimage`)).toMatchObject({
        is_flexclone: true,
        size: 200 * MiB,
        unique_bytes: 0,
      })
      expect(drafts()).toEqual([])
    },
  )

  it.skipIf(!isMountable)('refuses a taken path, a split and a clone into itself', async () => {
    const failed = (message: unknown) => ({ error: { code: '13565952', message } })
    expect(await refusal('project', 'project/many')).toMatchObject(failed(expect.stringContaining('exists')))
    expect(await refusal('project', 'c', { split: true })).toMatchObject(
      failed(expect.stringContaining('cannot be split')),
    )
    expect(await refusal('project', 'project/c')).toMatchObject(failed(expect.stringContaining('into itself')))
    expect(readdirSync(at('project')).toSorted()).toEqual(['image', 'many'])
    expect(drafts()).toEqual([])
  })

  it.skipIf(!isMountable)(
    'completes a clone after it was killed, and leaves no other trace',
    {
      timeout: 120_000,
    },
    async () => {
      const { job } = await client().call('POST', CLONE, bodyOf('project', 'late'))
      while (drafts().length === 0) await wait(5)
      await server.kill()
      expect(readdirSync(mount.directory)).not.toContain('late')
      expect(drafts()).toHaveLength(1)
      server = await server.restart()
      const { uuid } = Object(job)
      while (['queued', 'running'].includes(String((await client().call('GET', `/cluster/jobs/${uuid}`)).state))) {
        await wait(20)
      }
      expect(await client().call('GET', `/cluster/jobs/${uuid}`)).toMatchObject({ state: 'success' })
      execFileSync('diff', ['-r', at('project'), at('late')])
      expect(drafts()).toEqual([])
    },
  )

  // Quotas of xfs need a kernel that supports them.
  if (fileSystem === 'xfs') return

  it.skipIf(!isMountable)(
    'counts a clone in the quota of its qtree, and refuses one above it',
    {
      timeout: 120_000,
    },
    async () => {
      const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
      await client().call('POST', '/storage/qtrees?return_timeout=60', { ...on, name: 'qt1' })
      const rule = { ...on, type: 'tree', qtree: { name: 'qt1' }, space: { hard_limit: 300 * MiB } }
      await client().call('POST', '/storage/quota/rules?return_timeout=60', rule)
      await client().setQuota(volume, true)
      await clone('project', 'qt1/first')
      const usedOfQtree = async () => {
        const { space } = await client().one('/storage/quota/reports?qtree.name=qt1&fields=space')
        return Number(Object(Object(space).used).total)
      }
      expect(await usedOfQtree()).toBeGreaterThanOrEqual(200 * MiB)
      expect(await usedOfQtree()).toBeLessThan(240 * MiB)
      mkdirSync(at('other'))
      fill('other/image', 150)
      expect(await refusal('other', 'qt1/second')).toMatchObject({ error: { code: '13565952' } })
      expect(readdirSync(at('qt1'))).toEqual(['first'])
      expect(await usedOfQtree()).toBeLessThan(240 * MiB)
      await clone('qt1', 'plain')
      expect(await client().list('/storage/qtrees?name=!%22%22')).toMatchObject({ num_records: 1 })
    },
  )
})
