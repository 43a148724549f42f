import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const names = ['qt1', 'qt2']

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs that is changed without the server', () => {
  let mount: LoopMount
  let server: ServerProcess
  let volume: string
  const client = () => storageClient(server)
  const at = (path: string) => join(mount.directory, path)
  const write = (path: string, megabytes: number) =>
    run('dd', ['if=/dev/urandom', `of=${at(path)}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'])
  const states = async () => {
    const { state, quota } = await client().one('/storage/volumes?name=vol1&fields=state,quota.state')
    return { state, quota }
  }
  const untilStates = async (state: string, quota: string) => {
    const wanted = JSON.stringify({ state, quota: { state: quota } })
    while (JSON.stringify(await states()) !== wanted) await wait(50)
  }

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 512)
    server = await startServer({
      environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}`, TRIVIUM_INSPECT_SECONDS: '1' },
    })
    volume = await client().volume('vol1')
    for (const name of names) {
      await client().call('POST', '/storage/qtrees?return_timeout=30', { ...on, name })
      const rule = { ...on, type: 'tree', qtree: { name }, space: { hard_limit: '10M' } }
      await client().call('POST', '/storage/quota/rules?return_timeout=30', rule)
    }
    await client().setQuota(volume, true)
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it('keeps the quotas of its other qtrees when a subvolume is deleted', { timeout: 60_000 }, async () => {
    await run('btrfs', ['subvolume', 'delete', '--commit-after', at('qt1')])
    while (!/no longer has the qtree "qt1"/.test(server.output())) await wait(50)
    await client().setQuota(volume, false)
    await client().setQuota(volume, true)
    await expect(write('qt2/data', 20)).rejects.toThrow(/quota exceeded/i)
    await untilStates('online', 'on')
  })

  it('limits a deleted subvolume again when it is back', { timeout: 60_000 }, async () => {
    await run('btrfs', ['subvolume', 'create', at('qt1')])
    while (!/lost 1 of its limits/.test(server.output())) await wait(50)
    await expect(write('qt1/data', 20)).rejects.toThrow(/quota exceeded/i)
    await untilStates('online', 'on')
  })

  it('has its limit restored after it was changed', { timeout: 60_000 }, async () => {
    await run('btrfs', ['qgroup', 'limit', '500M', await groupOf('qt2'), mount.directory])
    while ((await limits()).includes(String(500 * 2 ** 20))) await wait(50)
    expect(await limits()).toMatch(new RegExp(`\\s${10 * 2 ** 20}\\s+none\\s+qt2`))
  })

  it('reports corrupt quotas while they are disabled, and limits again when they are enabled', {
    timeout: 60_000,
  }, async () => {
    await run('btrfs', ['quota', 'disable', mount.directory])
    await untilStates('online', 'corrupt')
    await run('btrfs', ['quota', 'enable', mount.directory])
    await untilStates('online', 'on')
    for (const name of names) await expect(write(`${name}/more`, 20)).rejects.toThrow(/quota exceeded/i)
  })

  it('enables quotas that were disabled by hand', { timeout: 60_000 }, async () => {
    await run('btrfs', ['quota', 'disable', mount.directory])
    await untilStates('online', 'corrupt')
    await client().setQuota(volume, true)
    await untilStates('online', 'on')
    for (const name of names) await expect(write(`${name}/still-more`, 20)).rejects.toThrow(/quota exceeded/i)
  })

  it('reports an unmounted volume as offline, and limits again when it is mounted', { timeout: 60_000 }, async () => {
    await run('umount', [mount.directory])
    await untilStates('offline', 'corrupt')
    expect((await client().list('/storage/volumes?state=offline')).num_records).toBe(1)
    await run('mount', ['-o', 'loop', mount.image, mount.directory])
    await untilStates('online', 'on')
    for (const name of names) await expect(write(`${name}/again`, 20)).rejects.toThrow(/quota exceeded/i)
  })

  const groupOf = async (path: string) =>
    `0/${(await run('btrfs', ['inspect-internal', 'rootid', at(path)])).stdout.trim()}`
  const limits = async () => (await run('btrfs', ['qgroup', 'show', '-re', '--raw', mount.directory])).stdout
})
