import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const MiB = 2 ** 20
const FLOOR = 100 * MiB
const CLONE = '/storage/file/clone'
const SPLITS = `${CLONE}/splits`

describe.skipIf(!(await canMount('xfs')))('a server whose volume is at its floor', () => {
  let mount: LoopMount
  let server: ServerProcess
  const client = () => storageClient(server)
  const at = (path: string) => join(mount.directory, path)
  const fill = (path: string, megabytes: number) =>
    execFileSync('dd', ['if=/dev/urandom', `of=${at(path)}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'])
  const available = () => {
    const { bsize, bavail } = statfsSync(mount.directory)
    return bsize * bavail
  }

  beforeAll(async () => {
    mount = await mountLoop('xfs', 512)
    fill('source', 96)
    // Room for about half of a clone.
    fill('ballast', Math.floor((available() - FLOOR) / MiB) - 48)
    const environment = { TRIVIUM_VOLUMES: `vol1=${mount.directory}`, TRIVIUM_SPLIT_FLOOR: String(FLOOR) }
    server = await startServer({ environment })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  async function clone(destination: string, split: boolean): Promise<void> {
    const volume = { uuid: await client().volume('vol1') }
    const body = { volume, source_path: 'source', destination_path: destination, split }
    await client().call('POST', `${CLONE}?return_timeout=60`, body)
  }
  const split = (path: string) => client().one(`${SPLITS}?path=${path}&fields=*`)
  const load = async () => (await client().one(`${CLONE}/split-loads?fields=load.current`)).load
  const left = async (path: string): Promise<number> => {
    const { bytes } = await split(path)
    return Number(Object(bytes).left)
  }

  it('keeps the space free, cancels without a trace, and continues after it was killed', {
    timeout: 120_000,
  }, async () => {
    await clone('clone', true)
    while ((await split('clone')).reason === undefined) await wait(20)
    expect(await split('clone')).toMatchObject({
      state: 'waiting',
      order: 1,
      reason: expect.stringContaining('available'),
    })
    expect(await left('clone')).toBeLessThan(96 * MiB)
    expect(await left('clone')).toBeGreaterThan(0)
    expect(available()).toBeGreaterThanOrEqual(FLOOR)

    await clone('second', false)
    const volume = { name: 'vol1' }
    await client().call('POST', SPLITS, { volume, path: 'second' })
    expect(await split('second')).toMatchObject({ state: 'waiting', order: 2, bytes: { total: 96 * MiB, done: 0 } })
    const { uuid: second } = await split('second')
    await client().call('DELETE', `${SPLITS}/${second}`)
    expect((await client().list(SPLITS)).num_records).toBe(1)
    expect(await load()).toEqual({ current: await left('clone') })
    expect(readdirSync(mount.directory).toSorted()).toEqual(['ballast', 'clone', 'second', 'source'])

    const { uuid } = await split('clone')
    await client().call('PATCH', `${SPLITS}/${uuid}`, { state: 'paused' })
    const before = await left('clone')
    await server.kill()
    server = await server.restart()
    expect(await split('clone')).toMatchObject({ uuid, state: 'paused', bytes: { left: before } })
    expect(await load()).toEqual({ current: before })
    rmSync(at('ballast'))
    await client().call('PATCH', `${SPLITS}/${uuid}`, { state: 'waiting' })
    while ((await client().list(SPLITS)).num_records > 0) await wait(20)
    expect(await load()).toEqual({ current: 0 })
    const volumeUuid = await client().volume('vol1')
    expect(await client().call('GET', `/storage/volumes/${volumeUuid}/files/clone`)).toMatchObject({
      is_flexclone: false,
      unique_bytes: 96 * MiB,
    })
    expect(await client().call('GET', `/storage/volumes/${volumeUuid}/files/second`)).toMatchObject({
      is_flexclone: true,
      unique_bytes: 0,
    })
    execFileSync('cmp', [at('source'), at('clone')])
  })
})
