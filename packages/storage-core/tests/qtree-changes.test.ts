import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it } from 'vitest'
import { everything } from '../src/query/query.ts'
import type { QuotaRuleId } from '../src/quota-rules/quota-rule.ts'
import { createQtree, ended, MiB, type OpenStorage, openStorage, stateOf, until } from './open-storage.ts'

/** Opens a storage with qt1, whose jobs wait for a scan that continues when `goOn` is called. */
async function openDuringScan() {
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  const open = await openStorage({
    backend: (volume) => ({
      ...volume,
      enableQuota: async (...limits) => {
        await resumed
        return volume.enableQuota(...limits)
      },
    }),
  })
  await createQtree(open, 'qt1')
  open.volume.files.write('qt1/kept', { size: MiB })
  ;(await open.storage.volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap()
  await until(async () => (await stateOf(open, open.vol1)) === 'initializing')
  const { qtrees } = open.storage
  const { uuid } = open.vol1
  return {
    ...open,
    resume,
    rename: async (name: string) => (await qtrees.update(uuid, 1, { name }))._unsafeUnwrap().job,
    remove: async () => (await qtrees.delete(uuid, 1))._unsafeUnwrap().job,
    create: async (name: string) => (await qtrees.create({ ...at, name }))._unsafeUnwrap().job,
  }
}

const at = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

const storedNames = async ({ storage }: OpenStorage): Promise<readonly string[]> => {
  const { records } = await storage.qtrees.list({ query: everything, order: [], limit: 10 })
  return records.map(({ name }) => name).filter((name) => name !== '')
}

const renameFailed = { state: 'failure', failure: { type: 'qtree-rename-failed' } }

describe('a qtree whose change waits', () => {
  it('keeps its name when another qtree is created with the new name', async () => {
    const open = await openDuringScan()
    const [renamed, created] = [await open.rename('qt2'), await open.create('qt2')]
    open.resume()
    expect(await ended(open, renamed)).toMatchObject(renameFailed)
    expect(await ended(open, created)).toMatchObject({ state: 'success' })
    expect(await storedNames(open)).toEqual(['qt1', 'qt2'])
    expect((await open.volume.listQtrees()).toSorted()).toEqual(['qt1', 'qt2'])
    expect(await open.volume.file('qt1/kept')).toMatchObject({ size: MiB })
  })

  it('keeps its name when a rule is created for the new name', async () => {
    const open = await openDuringScan()
    const renamed = await open.rename('qt2')
    for (const qtree of ['qt1', 'qt2']) {
      ;(await open.storage.quotaRules.create({ ...at, type: 'tree', qtree }))._unsafeUnwrap()
    }
    open.resume()
    expect(await ended(open, renamed)).toMatchObject(renameFailed)
    expect(await storedNames(open)).toEqual(['qt1'])
    const { records } = await open.storage.quotaRules.list({ query: everything, order: [], limit: 10 })
    expect(records.map(({ target }) => target.qtree).toSorted()).toEqual(['', 'qt1', 'qt2'])
  })

  it('stays when a later change refers to its old name', async () => {
    const open = await openDuringScan()
    const [renamed, again, removed] = [await open.rename('qt2'), await open.rename('qt3'), await open.remove()]
    open.resume()
    expect(await ended(open, renamed)).toMatchObject({ state: 'success' })
    expect(await ended(open, again)).toMatchObject(renameFailed)
    expect(await ended(open, removed)).toMatchObject({ state: 'failure', failure: { type: 'qtree-delete-failed' } })
    expect(await storedNames(open)).toEqual(['qt2'])
    expect(await open.volume.file('qt2/kept')).toMatchObject({ size: MiB })
  })

  it('no longer exists when its creation is cancelled', async () => {
    const open = await openDuringScan()
    const created = await open.create('qt2')
    ;(await open.storage.jobs.cancel(created.uuid))._unsafeUnwrap()
    open.resume()
    expect(await storedNames(open)).toEqual(['qt1'])
    expect(await ended(open, await open.create('qt2'))).toMatchObject({ state: 'success' })
    expect(await open.volume.listQtrees()).toEqual(['qt1', 'qt2'])
  })

  it('keeps its name and its files when a rule with the new name is added during the renaming', async () => {
    const repositories = memoryStorageRepositories()
    let addRule = async () => {}
    const open = await openStorage({
      repositories,
      backend: (volume) => ({
        ...volume,
        renameQtree: async (from, to) => {
          await volume.renameQtree(from, to)
          await addRule()
        },
      }),
    })
    await createQtree(open, 'qt1')
    ;(await open.storage.quotaRules.create({ ...at, type: 'tree', qtree: 'qt1' }))._unsafeUnwrap()
    const { vol1 } = open
    addRule = async () => {
      const taken = { uuid: 'r2' as QuotaRuleId, svm: vol1.svm, volume: vol1, limits: {} }
      await repositories.quotaRules.add({ ...taken, target: { type: 'tree', qtree: 'qt2' } })
    }
    const { job } = (await open.storage.qtrees.update(vol1.uuid, 1, { name: 'qt2' }))._unsafeUnwrap()
    expect(await ended(open, job)).toMatchObject(renameFailed)
    expect(await storedNames(open)).toEqual(['qt1'])
    expect(await open.volume.listQtrees()).toEqual(['qt1'])
  })
})
