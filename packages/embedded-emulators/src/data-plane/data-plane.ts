import { availableParallelism } from 'node:os'
import type { Emulator, LinkRelay } from '@trivium/emulation-core/ports'
import { systemClock } from '../clock/clock.ts'
import { ethernetSwitchEmulator } from '../ethernet-switch/ethernet-switch-emulator.ts'
import type { SwitchEngineOptions } from '../ethernet-switch/switch-engine.ts'
import { withDevices } from '../link-relay/device-links.ts'
import { type LinkRelayOptions, linkRelay } from '../link-relay/link-relay.ts'
import { createKnownPlane } from './known-plane.ts'
import { createPlaneRelay } from './plane-relay.ts'
import { createPlaneRuns } from './plane-runs.ts'
import { createPlaneSwitchEmulator } from './plane-switch-emulator.ts'
import { inThisThread, inWorker } from './plane-thread.ts'

/** The options of a data plane. Only `ports` is required. */
export interface DataPlaneOptions extends Pick<LinkRelayOptions, 'ports' | 'batches' | 'devices' | 'foreignAddresses'> {
  /**
   * The thread in which frames are relayed. `auto` is a worker where the process has more than one core, and the main
   * thread otherwise. Where a worker cannot be started, frames are relayed on the main thread.
   *
   * @default 'auto'
   */
  readonly thread?: 'auto' | 'worker' | 'main'
  /** How switches differ from the standards. @default not at all */
  readonly ethernetSwitch?: SwitchEngineOptions
  /**
   * Receives the reason where a worker cannot be started or has ended by itself, and refusals of links in the worker
   * that replaces it.
   *
   * @default console.error
   */
  readonly onFault?: (fault: Error) => void
}

/** The parts of an emulation through which frames move. Use both together. */
export interface DataPlane {
  readonly relay: LinkRelay
  /** Runs switches next to the links of their ports. */
  readonly ethernetSwitch: Emulator<'ethernet-switch'>
}

/**
 * Creates the relay and the switches, whose frames move in a worker, so that a loaded link does not delay other work of
 * the process. The worker starts with the first link and ends after the last one. It keeps the process alive only while it
 * has sockets or owes an answer.
 *
 * @throws TypeError for another thread than those
 *
 * @example
 * ```ts
 * import { createPortAllocator } from '@trivium/emulation-core'
 * import { dataPlane, portProbe } from '@trivium/embedded-emulators'
 *
 * const ports = createPortAllocator({ isFree: portProbe() })
 * const { relay, ethernetSwitch } = dataPlane({ ports })
 * ```
 */
export function dataPlane({
  ports,
  thread = 'auto',
  ethernetSwitch = {},
  onFault = console.error,
  devices,
  ...relayOptions
}: DataPlaneOptions): DataPlane {
  if (!threads.has(thread)) throw new TypeError("'thread' must be 'auto', 'worker' or 'main'.")
  if (thread === 'main' || (thread === 'auto' && availableParallelism() === 1)) {
    return {
      relay: linkRelay({ ports, devices, ...relayOptions }),
      ethernetSwitch: ethernetSwitchEmulator(ethernetSwitch),
    }
  }
  const known = createKnownPlane()
  const parts = { switchOptions: ethernetSwitch, ...relayOptions }
  const clock = systemClock
  const [openThread, openFallback] = [inWorker(parts), inThisThread(parts)]
  const runs = createPlaneRuns({ known, openThread, openFallback, onFault, clock })
  return {
    relay: withDevices(createPlaneRelay({ ports, known, runs, clock, onFault }), { ports, devices }),
    ethernetSwitch: createPlaneSwitchEmulator(known, runs),
  }
}

const threads: ReadonlySet<string> = new Set<NonNullable<DataPlaneOptions['thread']>>(['auto', 'worker', 'main'])
