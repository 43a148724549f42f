import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const names = ['qt1', 'qt2', 'qt3']

describe.skipIf(!(await canMount('btrfs')))('qtrees on btrfs that exceed their limits, over HTTP', () => {
  let mount: LoopMount
  let server: ServerProcess
  let volume: string
  const client = () => storageClient(server)
  const write = (path: string, megabytes: number) =>
    run('dd', ['if=/dev/urandom', `of=${join(mount.directory, path)}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'])
  const ruleOf = async (qtree: string) =>
    String((await client().one(`/storage/quota/rules?type=tree&qtree.name=${qtree}`)).uuid)
  const limit = async (qtree: string, hardLimit: string) =>
    client().call('PATCH', `/storage/quota/rules/${await ruleOf(qtree)}?return_timeout=30`, {
      space: { hard_limit: hardLimit },
    })

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 512)
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
    volume = await client().volume('vol1')
    for (const name of names) {
      await client().call('POST', '/storage/qtrees?return_timeout=30', { ...on, name })
      await write(`${name}/data`, 40)
    }
    const rule = { ...on, type: 'tree', qtree: { name: 'qt1' }, space: { hard_limit: '100M' } }
    await client().call('POST', '/storage/quota/rules?return_timeout=30', rule)
    await client().setQuota(volume, true)
    // The creation of the first rule also created the default rule, which applies to the others.
    await limit('qt1', '10M')
    await limit('""', '10M')
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  it('refuse further writes', async () => {
    for (const name of names) await expect(write(`${name}/more`, 1)).rejects.toThrow(/quota exceeded/i)
  })

  it('receive new limits, by an explicit rule and by the default one', { timeout: 60_000 }, async () => {
    await limit('qt1', '12M')
    await limit('""', '12M')
    const reports = await client().list('/storage/quota/reports?type=tree&qtree.name=qt*&fields=space')
    expect(reports.records.map(({ space }) => space)).toMatchObject(names.map(() => ({ hard_limit: 12 * 2 ** 20 })))
  })

  it('accept new rules and the removal of rules', { timeout: 60_000 }, async () => {
    const rule = { ...on, type: 'tree', qtree: { name: 'qt2' }, space: { hard_limit: '11M' } }
    await client().call('POST', '/storage/quota/rules?return_timeout=30', rule)
    await client().call('DELETE', `/storage/quota/rules/${await ruleOf('qt2')}?return_timeout=30`)
    await expect(write('qt2/more', 1)).rejects.toThrow(/quota exceeded/i)
  })

  it('get new permissions and a new name, and do not prevent further qtrees', { timeout: 60_000 }, async () => {
    const { id } = await client().one('/storage/qtrees?volume.name=vol1&name=qt3&fields=id')
    await client().call('PATCH', `/storage/qtrees/${volume}/${id}?return_timeout=30`, { unix_permissions: 700 })
    await client().call('PATCH', `/storage/qtrees/${volume}/${id}?return_timeout=30`, { name: 'qt4' })
    await client().call('POST', '/storage/qtrees?return_timeout=30', { ...on, name: 'qt5' })
    await write('qt5/data', 1)
  })

  it('accept that quotas are switched off and on', { timeout: 60_000 }, async () => {
    await client().setQuota(volume, false)
    await write('qt2/more', 1)
    await client().setQuota(volume, true)
    await expect(write('qt2/still-more', 1)).rejects.toThrow(/quota exceeded/i)
  })

  it('serve as the source of clones', { timeout: 60_000 }, async () => {
    await client().call('POST', '/storage/file/clone?return_timeout=60', {
      volume: { uuid: volume },
      source_path: 'qt1/data',
      destination_path: 'clone',
    })
  })

  it('allow their own deletion', { timeout: 60_000 }, async () => {
    const { records } = await client().list('/storage/qtrees?volume.name=vol1&name=qt*&fields=id')
    for (const { id } of records) await client().call('DELETE', `/storage/qtrees/${volume}/${id}?return_timeout=30`)
    expect((await client().list('/storage/qtrees?volume.name=vol1&name=qt*')).num_records).toBe(0)
  })
})
