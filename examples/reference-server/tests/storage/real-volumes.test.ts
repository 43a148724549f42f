import { execFile, execFileSync } from 'node:child_process'
import { chownSync, closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const MiB = 2 ** 20

/** Appends to a file until the file system refuses. @returns the MiB that the file system accepted */
function fill(path: string, maximum: number): number {
  const file = openSync(path, 'a')
  const block = Buffer.alloc(64 * 1024, 1)
  let written = 0
  try {
    for (; written < maximum * MiB; fsyncSync(file)) written += writeSync(file, block)
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === -122)) throw error
  } finally {
    closeSync(file)
  }
  return written / MiB
}

describe.skipIf(!(await canMount('btrfs')))('quotas on btrfs, over HTTP', () => {
  let mount: LoopMount
  let server: ServerProcess
  let volume: string
  let rule: string
  const client = () => storageClient(server)
  const limitInKernel = async () => {
    const { stdout } = await run('btrfs', ['qgroup', 'show', '-re', '--raw', mount.directory])
    return Number(/\s(\d+)\s+none\s+qt1/.exec(stdout)?.[1] ?? 0)
  }

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
    volume = await client().volume('vol1')
    await client().call('POST', '/storage/qtrees?return_timeout=30', {
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      name: 'qt1',
    })
    await client().call('POST', '/storage/quota/rules?return_timeout=30', {
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      type: 'tree',
      qtree: { name: 'qt1' },
      space: { hard_limit: 10 * MiB },
    })
    rule = String((await client().one('/storage/quota/rules?qtree.name=qt1')).uuid)
    await client().setQuota(volume, true)
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it('stop a writer at 10 MiB, and at 20 MiB after a PATCH', async () => {
    const path = join(mount.directory, 'qt1', 'data')
    const first = fill(path, 64)
    expect(first).toBeGreaterThan(9)
    expect(first).toBeLessThanOrEqual(10)
    await client().call('PATCH', `/storage/quota/rules/${rule}?return_timeout=30`, { space: { hard_limit: 20 * MiB } })
    expect(await limitInKernel()).toBe(20 * MiB)
    expect(first + fill(path, 64)).toBeGreaterThan(19)
  })

  it('report the usage of the file system', async () => {
    const report = await client().one('/storage/quota/reports?type=tree&qtree.name=qt1&fields=*')
    expect(report).toMatchObject({ space: { hard_limit: 20 * MiB, used: { hard_limit_percent: expect.any(Number) } } })
    const { used } = JSON.parse(JSON.stringify(report.space))
    expect(used.total).toBeGreaterThan(19 * MiB)
    expect(used.hard_limit_percent).toBeGreaterThan(95)
  })

  it('keep their limits in the file system on a PATCH while they are off', async () => {
    await client().setQuota(volume, false)
    const before = await limitInKernel()
    await client().call('PATCH', `/storage/quota/rules/${rule}?return_timeout=30`, { space: { hard_limit: 30 * MiB } })
    expect(await limitInKernel()).toBe(before)
    expect(await client().call('GET', `/storage/quota/rules/${rule}`)).toMatchObject({
      space: { hard_limit: 30 * MiB },
    })
    await client().setQuota(volume, true)
    expect(await limitInKernel()).toBe(30 * MiB)
  })

  it('show users who share a qtree to each other', async () => {
    for (const [name, id] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const path = join(mount.directory, 'qt1', name)
      writeFileSync(path, Buffer.alloc(64 * 1024, id))
      chownSync(path, id, id)
    }
    const made = await server.ask('/api/self/tokens', { method: 'POST', body: { user: { name: 'daemon' } } })
    const [{ token }] = (await made.json()).records
    const headers = { authorization: `Bearer ${token}` }
    const own = await (await fetch(`${server.url}/api/self/quotas`, { headers })).json()
    expect(own).toMatchObject({
      user: { id: '1', name: 'daemon' },
      num_records: 1,
      records: [{ qtree: { name: 'qt1' }, shared_with: { num_users: 1, users: [{ id: '2', name: 'bin' }] } }],
    })
  })

  it('refuse limits that btrfs cannot enforce, with a code of their own', async () => {
    const response = await server.ask(`/api/storage/quota/rules/${rule}?return_timeout=30`, {
      method: 'PATCH',
      body: { files: { hard_limit: 5 } },
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/files/i), code: expect.stringMatching(/^\d+$/) },
    })
  })
})

describe.skipIf(!(await canMount('xfs')))('clones on xfs, over HTTP', () => {
  let mount: LoopMount
  let server: ServerProcess
  const client = () => storageClient(server)
  const splitLoad = async () => {
    const { load } = await client().one('/storage/file/clone/split-loads?fields=*')
    return JSON.parse(JSON.stringify(load))
  }

  beforeAll(async () => {
    mount = await mountLoop('xfs', 1024)
    execFileSync('xfs_io', ['-f', '-c', 'pwrite -q -b 1m 0 256m', '-c', 'fsync', join(mount.directory, 'source')])
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it('share blocks of a file of 256 MiB, and split completely after a crash during the split', async () => {
    const uuid = await client().volume('vol1')
    await client().call('POST', '/storage/file/clone?return_timeout=60', {
      volume: { uuid },
      source_path: 'source',
      destination_path: 'clone',
      split: true,
    })
    expect(execFileSync('filefrag', ['-v', join(mount.directory, 'clone')], { encoding: 'utf8' })).toContain('shared')
    const { maximum, allowable } = await splitLoad()
    expect(allowable).toBeLessThanOrEqual(maximum)

    await server.kill()
    server = await server.restart()
    const unsplit = async () => {
      const { records } = await client().list('/storage/file/clone/split-status?fields=*')
      return Number(records[0]?.unsplit_size ?? 0)
    }
    while ((await unsplit()) > 0) await new Promise((resolve) => setTimeout(resolve, 250))
    expect(execFileSync('filefrag', ['-s', '-v', join(mount.directory, 'clone')], { encoding: 'utf8' })).not.toContain(
      'shared',
    )
    expect(
      execFileSync('cmp', [join(mount.directory, 'source'), join(mount.directory, 'clone')], { encoding: 'utf8' }),
    ).toBe('')
    expect(await splitLoad()).toMatchObject({ current: 0, allowable: maximum })
  }, 120_000)
})
