import { describe, expect, it } from 'vitest'
import { instance } from '../conformance/records.ts'
import { machineDefaults } from '../kinds/machine/defaults.ts'
import { memoryEmulationRepositories } from '../memory/memory-emulation-repositories.ts'
import { withDefaults } from './with-defaults.ts'

describe('withDefaults', () => {
  it('completes machines that an earlier version stored, and changes nothing else', async () => {
    const stored = memoryEmulationRepositories()
    const { program, console, monitor, memoryMegabytes } = instance(1, 'machine').settings
    // The type has settings that records of an earlier version lack.
    const old = { program, console, monitor, memoryMegabytes } as ReturnType<typeof instance<'machine'>>['settings']
    await stored.instances.add(instance(1, 'machine', { settings: old }))
    await stored.instances.add(instance(2, 'router'))
    const { instances } = withDefaults(stored)
    expect((await instances.find(instance(1, 'machine').id))?.settings).toEqual({ ...machineDefaults, ...old })
    expect((await instances.list()).map(({ settings }) => settings)).toEqual([
      { ...machineDefaults, ...old },
      instance(2, 'router').settings,
    ])
  })
})
