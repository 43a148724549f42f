import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLinuxVolume } from '@trivium/linux-volumes'
import { createStorage, type Storage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it, onTestFinished } from 'vitest'
import { canMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'

const MiB = 2 ** 20

const wait = async (storage: Storage, job: Parameters<Storage['jobs']['wait']>[0]) =>
  expect((await storage.jobs.wait(job, 20_000)).state).toBe('success')

it.skipIf(!(await canMount('btrfs')))(
  'samples the space of a btrfs volume and the use of its qtrees without a count of files',
  async () => {
    const mount = await mountLoop('btrfs', 320)
    onTestFinished(() => mount.unmount())
    const repositories = memoryStorageRepositories()
    const volumes = [{ name: 'vol1', backend: await openLinuxVolume({ directory: mount.directory }) }]
    const named = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

    const first = createStorage({ repositories, volumes })
    await first.start()
    const { qtree, job } = (await first.qtrees.create({ ...named, name: 'qt1' }))._unsafeUnwrap()
    await wait(first, job)
    ;(await first.quotaRules.create({ ...named, type: 'tree', qtree: 'qt1' }))._unsafeUnwrap()
    await wait(first, (await first.volumes.setQuota(qtree.volume.uuid, true))._unsafeUnwrap())
    mkdirSync(join(mount.directory, 'qt1/directory'))
    writeFileSync(join(mount.directory, 'qt1/directory/file'), Buffer.alloc(8 * MiB, 1), { flush: true })
    await first.close()

    const second = createStorage({ repositories, volumes, historySeconds: 300 })
    onTestFinished(() => second.close())
    const sampled = new Promise<void>((resolve) => second.events.once('usage.sampled', () => resolve()))
    await second.start()
    await sampled
    const { uuid } = qtree.volume
    const [whole] = (await second.usageHistory.ofVolume(uuid, 'hour'))._unsafeUnwrap()
    expect(whole?.size).toBeGreaterThan(300 * MiB)
    expect(whole?.used).toBeGreaterThanOrEqual(8 * MiB)
    const volume = (await second.volumes.find(uuid))._unsafeUnwrap()
    const reports = (await second.quotaReports.ofVolume(volume))._unsafeUnwrap()
    const report = reports.find(({ isDefault }) => !isDefault)
    const history = await second.usageHistory.ofReport(uuid, report?.index ?? -1, 'hour')
    const [point] = history._unsafeUnwrap()
    expect(point?.used).toBeGreaterThanOrEqual(8 * MiB)
    expect(point?.files).toBeUndefined()
  },
  60_000,
)
