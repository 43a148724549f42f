import { memoryDrawings, memoryInstances, memoryProjectFiles, memoryProjects } from '@trivium/emulation-core/memory'
import { createEmulation, createPortAllocator, type EmulationEvents, type EmulationOptions } from '../src/index.ts'
import type { PortUse } from '../src/ports.ts'
import { fakeConsoleListener } from './fake-console-listener.ts'
import { fakeEmulators } from './fake-emulator.ts'
import { fakeRelay } from './fake-relay.ts'

export type Lab = ReturnType<typeof createLab>

/** Creates the stores, which outlive the process of a server. */
export const createStores = () => ({
  repositories: { projects: memoryProjects(), instances: memoryInstances(), drawings: memoryDrawings() },
  files: memoryProjectFiles(),
})

/** Creates a server with stores in memory and fake parts. */
export function createLab(options: Partial<EmulationOptions> = {}, stores = createStores()) {
  const emulators = fakeEmulators()
  const relay = fakeRelay()
  const { listener, open } = fakeConsoleListener()
  const busy = new Set<`${PortUse} ${number}`>()
  const ports = createPortAllocator({ isFree: async (use, port) => !busy.has(`${use} ${port}`) })
  const faults: unknown[] = []
  const clock = { time: new Date('2026-01-01T00:00:00Z') }
  let ids = 0

  const emulation = createEmulation({
    ...stores,
    emulators: {
      machine: emulators.machine.emulator,
      router: emulators.router.emulator,
      'virtual-pc': emulators['virtual-pc'].emulator,
      'desktop-vm': emulators['desktop-vm'].emulator,
      'ethernet-switch': emulators['ethernet-switch'].emulator,
      container: emulators.container.emulator,
    },
    relay,
    ports,
    consoles: listener,
    now: () => {
      clock.time = new Date(clock.time.getTime() + 1)
      return clock.time
    },
    newId: () => {
      ids += 1
      return `00000000-0000-4000-8000-${ids.toString(16).padStart(12, '0')}`
    },
    onFault: (error) => faults.push(error),
    ...options,
  })

  const emitted: string[] = []
  const names: readonly (keyof EmulationEvents)[] = [
    'project.created',
    'project.updated',
    'project.opened',
    'project.committed',
    'project.closed',
    'project.deleted',
    'instance.created',
    'instance.updated',
    'instance.arranged',
    'instance.deleted',
    'instance.started',
    'instance.stopped',
    'instance.suspended',
    'instance.resumed',
    'drawing.created',
    'drawing.updated',
    'drawing.deleted',
    'link.changed',
    'capture.started',
    'capture.stopped',
    'log',
  ]
  for (const name of names) emulation.events.on(name, () => emitted.push(name))

  return { emulation, emulators, relay, consoles: open, busy, ports, faults, clock, emitted, stores }
}
