import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const MiB = 2 ** 20

describe.skipIf(!(await canMount('btrfs')))('clones of volumes on btrfs, over HTTP', () => {
  let mount: LoopMount
  let server: ServerProcess
  const at = (...path: readonly string[]) => join(mount.directory, ...path)
  const client = () => storageClient(server)
  const body = (name: string) => ({
    name,
    'svm.name': 'svm1',
    clone: { is_flexclone: true, 'parent_volume.name': 'data' },
  })
  const used = async () => {
    await run('sync', ['-f', mount.directory])
    const { bsize, blocks, bfree } = statfsSync(mount.directory)
    return bsize * (blocks - bfree)
  }
  const content = randomBytes(MiB)
  const fill = (volume: string) =>
    run('dd', ['if=/dev/zero', `of=${volume}/qt1/more`, 'bs=1M', 'count=16', 'conv=fsync'])

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 512)
    await run('btrfs', ['subvolume', 'create', at('data')])
    mkdirSync(at('clones'), { mode: 0o700 })
    server = await startServer({
      environment: {
        TRIVIUM_VOLUMES: `data=${at('data')}`,
        TRIVIUM_CLONE_DIRECTORIES: `data=${at('clones')}`,
      },
    })
    await client().call('POST', '/storage/qtrees?return_timeout=30', {
      svm: { name: 'svm1' },
      volume: { name: 'data' },
      name: 'qt1',
    })
    writeFileSync(at('data', 'qt1', 'small'), content)
    writeFileSync(at('data', 'qt1', 'large'), randomBytes(64 * MiB))
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it('take no space, and have limits of their own', async () => {
    const before = await used()
    await client().call('POST', '/storage/volumes?return_timeout=60', body('copy'))
    expect((await used()) - before).toBeLessThan(4 * MiB)
    expect(readFileSync(at('clones', 'copy', 'qt1', 'small')).equals(content)).toBe(true)
    const clone = await client().one('/storage/volumes?name=copy&fields=clone,state,space')
    expect(clone).toMatchObject({ state: 'online', clone: { is_flexclone: true, parent_volume: { name: 'data' } } })

    await client().call('POST', '/storage/quota/rules?return_timeout=30', {
      svm: { name: 'svm1' },
      volume: { name: 'copy' },
      type: 'tree',
      qtree: { name: 'qt1' },
      space: { hard_limit: 70 * MiB },
    })
    await client().setQuota(await client().volume('copy'), true)
    await expect(fill(at('clones', 'copy'))).rejects.toThrow(/quota exceeded/i)
    await fill(at('data'))
    writeFileSync(at('data', 'qt1', 'small'), 'changed')
    expect(readFileSync(at('clones', 'copy', 'qt1', 'small')).equals(content)).toBe(true)
    writeFileSync(at('data', 'qt1', 'small'), content)
  }, 60_000)

  it('continue after a server that was killed', async () => {
    await server.kill()
    server = await server.restart()
    expect(await client().one('/storage/volumes?name=copy&fields=state,quota,space')).toMatchObject({
      state: 'online',
      quota: { state: 'on' },
      space: { size: expect.any(Number) },
    })
  }, 60_000)

  it('appear whole after a server that was killed while it made one', async () => {
    await client().call('POST', '/storage/volumes?return_timeout=0', body('second'))
    await server.kill()
    server = await server.restart()
    await expect
      .poll(async () => (await client().one('/storage/volumes?name=second&fields=state')).state, { timeout: 45_000 })
      .toBe('online')
    expect(readFileSync(at('clones', 'second', 'qt1', 'small')).equals(content)).toBe(true)
    expect(readdirSync(at('clones')).toSorted()).toEqual(['copy', 'second'])
  }, 90_000)

  it('leave nothing when they are deleted', async () => {
    for (const name of ['copy', 'second']) {
      const uuid = await client().volume(name)
      await client().call('DELETE', `/storage/volumes/${uuid}?return_timeout=60`)
      expect(existsSync(at('clones', name))).toBe(false)
    }
    expect(readdirSync(at('clones'))).toEqual([])
    expect(await client().call('GET', '/storage/volumes?name=copy|second')).toMatchObject({ num_records: 0 })
    expect(readFileSync(at('data', 'qt1', 'small')).equals(content)).toBe(true)
  }, 60_000)
})
