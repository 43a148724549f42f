import type { Promisable } from 'type-fest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Kind } from '../index.ts'
import type { EmulatedInstance, Emulator, ProcessRecord, RunningInstance, Wiring } from '../ports.ts'

/** The emulator and instance of one test case. */
export interface EmulatorUnderTest<K extends Kind> {
  readonly emulator: Emulator<K>
  /** An instance that can be started. Its directory exists. */
  readonly instance: EmulatedInstance<K>
  readonly wiring: Wiring
  /** Cleans up after the test. */
  readonly close?: () => Promisable<void>
}

/**
 * Registers vitest cases for an `Emulator` of any kind.
 *
 * @param open returns an emulator and an instance, for each test
 */
export function emulatorConformance<K extends Kind>(open: () => Promisable<EmulatorUnderTest<K>>): void {
  describe('Emulator', () => {
    let lab: EmulatorUnderTest<K>
    let recorded: (readonly ProcessRecord[])[]
    let running: RunningInstance<K> | undefined
    beforeEach(async () => {
      lab = await open()
      recorded = []
      running = undefined
    })
    afterEach(async () => {
      await running?.stop()
      await lab.emulator.close?.()
      await lab.close?.()
    })

    const start = async () => {
      const { emulator, instance, wiring } = lab
      running = await emulator.start(instance, wiring, {
        recorded: async (processes) => void recorded.push(processes),
      })
      return running
    }

    it('accepts the settings of the instance, and returns all of them', async () => {
      const { emulator, instance } = lab
      const checked = (await emulator.check?.(instance.settings)) ?? instance.settings
      expect(Object.keys(checked)).toEqual(expect.arrayContaining(Object.keys(instance.settings)))
    })

    it('records its processes before the start resolves', async () => {
      const { processes } = await start()
      if (processes.length > 0) expect(recorded.flat()).toEqual(expect.arrayContaining([...processes]))
      else expect(recorded.flat()).toEqual([])
    })

    it('delivers earlier output to a new listener', async () => {
      const { console } = await start()
      if (!console) return
      await new Promise<void>((resolve) => console.onOutput((bytes) => bytes.length > 0 && resolve()))
    })

    it('ends an instance once when it is stopped several times', async () => {
      const started = await start()
      await Promise.all([started.stop(), started.stop()])
      const report = await started.exited
      expect(report.log.length).toBeLessThanOrEqual(4096)
      await started.stop()
      started.console?.write(new TextEncoder().encode('too late\r'))
      expect(await started.exited).toBe(report)
    })

    it('starts a stopped instance again', async () => {
      await (await start()).stop()
      const again = await start()
      let ended = false
      void again.exited.then(() => {
        ended = true
      })
      await again.update?.({ name: 'renamed', settings: lab.instance.settings })
      expect(ended).toBe(false)
    })

    it('keeps an instance running through suspend, resume, reload, NIC changes and updates', async () => {
      const started = await start()
      let ended = false
      void started.exited.then(() => {
        ended = true
      })
      await started.suspend?.()
      await started.resume?.()
      await started.reload?.()
      for (const nic of lab.wiring.nics) {
        await started.nicChanged?.(nic, { connected: true, linkUp: false })
        await started.nicChanged?.(nic, { connected: true, linkUp: true })
      }
      await started.update?.({ name: lab.instance.name, settings: lab.instance.settings })
      expect(ended).toBe(false)
    })

    it('reports CPU time and memory while it runs, or nothing where it does not know them', async () => {
      const started = await start()
      const used = await started.resources?.()
      if (used === undefined) return
      expect(used.cpuSeconds).toBeGreaterThanOrEqual(0)
      expect(used.memoryBytes).toBeGreaterThan(0)
      expect(Number.isSafeInteger(used.memoryBytes)).toBe(true)
      await started.stop()
      expect(await started.resources?.()).toBeUndefined()
    })

    it('ignores processes that have already exited', async () => {
      const { id, projectId, directory } = lab.instance
      await lab.emulator.endOrphans?.([])
      await lab.emulator.endOrphans?.([{ id, projectId, directory, processes: [] }])
      const exitedProcess = { pid: 2 ** 22 + 1, startedAt: '1', program: '/none' }
      await lab.emulator.endOrphans?.([{ id, projectId, directory, processes: [exitedProcess] }])
    })
  })
}
