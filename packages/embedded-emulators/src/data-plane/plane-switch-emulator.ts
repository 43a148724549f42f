import type { Emulator, ExitReport } from '@trivium/emulation-core/ports'
import { type KnownPlane, sameAddress } from './known-plane.ts'
import type { PlaneRuns } from './plane-runs.ts'

/** Creates the emulator of switches that forward in a data plane, next to the links of their ports. */
export const createPlaneSwitchEmulator = (known: KnownPlane, runs: PlaneRuns): Emulator<'ethernet-switch'> => ({
  kind: 'ethernet-switch',
  async start({ id, projectId, kind, name, settings, slot, directory }, { nics }) {
    const instance = { id, projectId, kind, name, settings, ...(slot === undefined ? {} : { slot }), directory }
    let ended = (_report: ExitReport) => {}
    const exited = new Promise<ExitReport>((resolve) => {
      ended = resolve
    })
    let current = { instance, nics }
    known.switches.set(id, current)
    const change = (next: typeof current) => {
      if (known.switches.get(id) !== current) return
      current = next
      known.switches.set(id, current)
    }
    try {
      await runs.callRunning('startSwitch', instance, nics)
    } catch (error) {
      known.switches.delete(id)
      throw error
    }

    return {
      processes: [],
      exited,
      async stop() {
        if (known.switches.get(id) === current) {
          known.switches.delete(id)
          await runs.callRunning('stopSwitch', id)
        }
        ended({ exitCode: 0, log: '' })
      },
      reload: () => runs.callRunning('clearMacTable', id),
      async update(update) {
        change({ ...current, instance: { ...current.instance, ...update } })
        await runs.callRunning('updateSwitch', id, update)
      },
      async nicChanged({ adapter, port }, state) {
        const nic = { adapter, port }
        const others = current.nics.filter((other) => !sameAddress(other, nic))
        change({ ...current, nics: state.connected ? [...others, nic] : others })
        await runs.callRunning('nicChanged', id, nic, state)
      },
      macTable: async () => (await runs.callRunning('macTable', id)) ?? [],
      clearMacTable: () => runs.callRunning('clearMacTable', id),
      stormDrops: async ({ adapter, port }) =>
        (await runs.callRunning('stormDrops', id, { adapter, port })) ?? {
          broadcast: 0,
          multicast: 0,
          unknownUnicast: 0,
        },
    }
  },
})
