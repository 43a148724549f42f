import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const MiB = 2 ** 20

describe.skipIf(!(await canMount('btrfs')))('a server that is killed in the middle of a split', () => {
  let mount: LoopMount
  let server: ServerProcess
  const client = () => storageClient(server)

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 2048)
    execFileSync('dd', ['if=/dev/urandom', `of=${join(mount.directory, 'source')}`, 'bs=1M', 'count=600', 'conv=fsync'])
    server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await mount?.unmount()
  })

  /** Reads the split from the store; absent once the split has ended. */
  const stored = () => {
    const database = new DatabaseSync(join(server.dataDirectory, 'trivium.sqlite'), { readOnly: true })
    try {
      const row = database.prepare('select remaining, free_at as leaseUntil, owner from storage_splits').get()
      return row && { remaining: Number(row.remaining), leaseUntil: Number(row.leaseUntil), owner: String(row.owner) }
    } finally {
      database.close()
    }
  }

  it('continues the split when it starts again, before the lease of the killed process has ended', async () => {
    const uuid = await client().volume('vol1')
    await client().call('POST', '/storage/file/clone?return_timeout=60', {
      volume: { uuid },
      source_path: 'source',
      destination_path: 'clone',
      split: true,
    })
    const unsplit = async () => Number((await client().one('/storage/file/clone/split-status?fields=*')).unsplit_size)
    while ((await unsplit()) === 600 * MiB) await wait(10)
    await server.kill()
    const left = stored()
    if (!left) throw new Error('the split ended before its server was killed')
    expect(left.remaining).toBeGreaterThan(0)
    expect(left.leaseUntil).toBeGreaterThan(Date.now())

    server = await server.restart()
    const since = performance.now()
    while ((await unsplit()) >= left.remaining) await wait(10)
    console.info(`Split of a killed server: continues ${(performance.now() - since).toFixed()} ms after the next start`)
    expect(Date.now()).toBeLessThan(left.leaseUntil)
    while ((await unsplit()) > 0) await wait(50)
    expect(execFileSync('filefrag', ['-s', '-v', join(mount.directory, 'clone')], { encoding: 'utf8' })).not.toContain(
      'shared',
    )
    execFileSync('cmp', [join(mount.directory, 'source'), join(mount.directory, 'clone')])
  }, 120_000)
})
