import { expect, it } from 'vitest'
import { fakeEmulator } from '../../../tests/fake-emulator.ts'
import { createLab } from '../../../tests/lab.ts'
import type { ProjectId } from '../../projects/project.ts'
import { virtualPcEngines } from './virtual-pc-engines.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId

async function openLab() {
  const [embedded, vpcs] = [fakeEmulator('virtual-pc'), fakeEmulator('virtual-pc')]
  const engines = { embedded: embedded.emulator, vpcs: vpcs.emulator }
  const emulator = virtualPcEngines({ ...engines, defaultEngine: 'vpcs' })
  const lab = createLab({ emulators: { 'virtual-pc': emulator } })
  await lab.emulation.projects.create({ id: projectId })
  return { ...lab, embedded, vpcs, emulator }
}

it('runs each PC by the engine of its creation, and others by the default', async () => {
  const { emulation, embedded, vpcs } = await openLab()
  const start = async (engine?: 'embedded' | 'vpcs') => {
    const settings = engine ? { engine } : {}
    const made = await emulation.instances.create({ projectId, kind: 'virtual-pc', name: 'PC', settings })
    const { id, settings: stored } = made._unsafeUnwrap()
    ;(await emulation.lifecycle.start({ projectId, kind: 'virtual-pc', id }))._unsafeUnwrap()
    return { engine: stored.engine, runs: [embedded.runs.length, vpcs.runs.length] }
  }
  expect(await start('embedded')).toEqual({ engine: 'embedded', runs: [1, 0] })
  expect(await start()).toEqual({ engine: 'vpcs', runs: [1, 1] })
  expect(await start('vpcs')).toEqual({ engine: 'vpcs', runs: [1, 2] })
})

it('keeps the engine of an instance', async () => {
  const { emulation } = await openLab()
  const made = await emulation.instances.create({ projectId, kind: 'virtual-pc', name: 'PC', settings: {} })
  const reference = { projectId, kind: 'virtual-pc', id: made._unsafeUnwrap().id } as const
  // A host in JavaScript can name it.
  const settings: object = { engine: 'embedded' }
  const refused = await emulation.instances.update(reference, { settings })
  expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'setting-fixed', setting: 'engine' })
})

it('ends the processes that either engine has left, and removes its files', async () => {
  const { embedded, vpcs, emulator } = await openLab()
  await emulator.endOrphans?.([])
  // Any string is valid as an id here: it is not parsed.
  await emulator.remove?.({ id: 'one' as Parameters<NonNullable<typeof emulator.remove>>[0]['id'], directory: '/d' })
  expect([embedded.removed, vpcs.removed]).toEqual([['one'], ['one']])
})
