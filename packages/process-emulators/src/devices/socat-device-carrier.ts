import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CarriedDevice,
  type CarrierPorts,
  type DeviceCarrier,
  type EthernetNio,
  Refusal,
  type TapNio,
} from '@trivium/emulation-core/ports'
import { endOrphanedHelpers } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import type { Helper } from '../processes/start-helper.ts'
import { carrierAddress } from './carrier-address.ts'
import { startCarrier } from './carrier-process.ts'
import { deviceFacts } from './device-kind.ts'

/** The devices that labs can use, and the program that carries their frames. */
export interface SocatDeviceCarrierOptions {
  /** The names of the devices that labs can use. All others are refused. */
  readonly devices: readonly string[]
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** The environment of socat. No variable of the server is passed on. @default PATH, HOME and an English locale */
  readonly environment?: ProcessEnvironment
}

const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1000, 30_000]

/**
 * Carries the frames of network devices of the host with socat, a process for each. A TAP device is opened, an interface
 * gets a packet socket that takes every frame, and a bridge gets a TAP device of its own as a port, which is removed with
 * the process. Requires Linux, `socat`, for bridges `ip` of `iproute2`, and root or the capabilities `CAP_NET_ADMIN` and
 * `CAP_NET_RAW`; a TAP device that is up and belongs to the user of the server needs neither.
 *
 * A process that ends by itself, as when its device is set down, is started again after a second, then after at most 30.
 *
 * @example
 * ```ts
 * import { embeddedLab } from '@trivium/embedded-emulators'
 * import { socatDeviceCarrier } from '@trivium/process-emulators/devices'
 *
 * // For `createEmulation`.
 * export const lab = embeddedLab({ devices: socatDeviceCarrier({ devices: ['tap0', 'br0'] }) })
 * ```
 */
export function socatDeviceCarrier({ devices: allowed, ...options }: SocatDeviceCarrierOptions): DeviceCarrier {
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories
  const address = carrierAddress()
  const carried = new Set<CarriedDevice>()
  const taken = new Set<string>()
  let orphansEnded: Promise<void> | undefined

  const start = async (device: TapNio | EthernetNio, ports: CarrierPorts): Promise<Helper> => {
    const { device: name } = device
    const facts = await deviceFacts(name)
    if (facts === undefined)
      throw new Refusal('unavailable', `Ethernet interface ${name} does not exist on this system.`)
    if (device.type === 'tap' && facts.kind !== 'tap') throw new Refusal('unavailable', `${name} is not a TAP device.`)
    const program = await findProgram({ program: 'socat', directories, title: 'socat', debianPackage: 'socat' })
    const ip =
      facts.kind === 'bridge'
        ? await findProgram({ program: 'ip', directories, title: 'ip', debianPackage: 'iproute2' })
        : undefined
    const opened = ip === undefined ? name : `tvm${randomBytes(4).toString('hex')}`
    return startCarrier({
      program,
      placement: ip === undefined ? undefined : { ip, parameters: ['master', name, 'up'] },
      command: { device: opened, facts, address, ports },
      name,
      environment,
    })
  }

  return {
    address,
    carry: async (device, ports) => {
      const { device: name } = device
      if (!allowed.includes(name))
        throw new Refusal('not-allowed', `The device '${name}' is not one that labs on this server can use.`)
      orphansEnded ??= endOrphanedHelpers()
      await orphansEnded
      const isTap = (await deviceFacts(name))?.kind === 'tap'
      // The kernel gives a TAP device to one process.
      if (isTap && taken.has(name)) throw new Refusal('unavailable', `${name} is used by another NIC.`)
      if (isTap) taken.add(name)
      const free = () => {
        if (isTap) taken.delete(name)
      }
      const first = await start(device, ports).catch((error) => {
        free()
        throw error
      })
      const supervised = supervise(first, () => start(device, ports))
      const kept: CarriedDevice = {
        release: async () => {
          carried.delete(kept)
          await supervised.stop()
          free()
        },
      }
      carried.add(kept)
      return kept
    },
    close: async () => {
      await Promise.all([...carried].map((each) => each.release()))
    },
  }
}

/** Starts a process again when it has ended by itself, until it is stopped. */
function supervise(first: Helper, restart: () => Promise<Helper>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let current: Helper | undefined = first

  const run = async () => {
    for (let pause = FIRST_WAIT_MS; ; pause = Math.min(2 * pause, LONGEST_WAIT_MS)) {
      const begin = performance.now()
      await current?.exited
      if (performance.now() - begin > LONGEST_WAIT_MS) pause = FIRST_WAIT_MS
      await wait(pause, undefined, { signal: stopping.signal, ref: false })
      current = await restart().catch(() => undefined)
      if (stopping.signal.aborted) return
    }
  }
  // It ends by the signal.
  const ended = run().catch(() => {})

  return {
    stop: async () => {
      stopping.abort()
      await current?.stop()
      await ended
      await current?.stop()
    },
  }
}
