import { createPortAllocator, type EmulationOptions } from '@trivium/emulation-core'
import type { PortRange } from '@trivium/emulation-core/ports'
import { tcpConsoleListener } from '../consoles/tcp-console-listener.ts'
import { type DataPlaneOptions, dataPlane } from '../data-plane/data-plane.ts'
import { portProbe } from '../ports/port-probe.ts'
import { virtualPcEmulator } from '../virtual-pc/virtual-pc-emulator.ts'

/** Where a lab listens, and how its frames move. */
export interface EmbeddedLabOptions extends Pick<DataPlaneOptions, 'batches' | 'devices' | 'thread' | 'onFault'> {
  /** TCP ports of consoles, both ends included. @default 2000 to 5000 */
  readonly consolePorts?: PortRange
  /** UDP ports of NIOs, both ends included. @default 10000 to 20000 */
  readonly udpPorts?: PortRange
  /**
   * The address on which consoles listen. One that other machines reach requires `consolePassword` or `consoleSources`.
   *
   * @default '127.0.0.1'
   */
  readonly consoleHost?: string
  /** The password that each console asks for. @default none */
  readonly consolePassword?: string
  /** Addresses and networks from which consoles accept connections. @default every source */
  readonly consoleSources?: readonly string[]
}

/**
 * Creates the parts of an emulation server that have no default: virtual PCs and Ethernet switches, the relay of their
 * links, ports of this machine, and consoles over TCP. Spread it to replace or add parts.
 *
 * @throws RangeError for a range of ports that is empty or not within 1 to 65,535
 * @throws TypeError for a `consoleHost` that other machines reach, without `consolePassword` and `consoleSources`
 *
 * @example
 * ```ts
 * import { embeddedLab } from '@trivium/embedded-emulators'
 * import { createEmulation } from '@trivium/emulation-core'
 *
 * const emulation = createEmulation({ ...embeddedLab(), database: 'sqlite:lab.sqlite' })
 * const project = await emulation.projects.create({})
 * ```
 */
export function embeddedLab({
  consoleHost = '127.0.0.1',
  consolePassword,
  consoleSources,
  consolePorts,
  udpPorts,
  ...frames
}: EmbeddedLabOptions = {}): Pick<EmulationOptions, 'emulators' | 'relay' | 'ports' | 'consoles'> {
  const ranges = { ...(consolePorts && { consolePorts }), ...(udpPorts && { udpPorts }) }
  const ports = createPortAllocator({ ...ranges, isFree: portProbe({ consoleHost }) })
  const { relay, ethernetSwitch } = dataPlane({ ports, ...frames })
  return {
    emulators: { 'virtual-pc': virtualPcEmulator(), 'ethernet-switch': ethernetSwitch },
    relay,
    ports,
    consoles: tcpConsoleListener({
      host: consoleHost,
      ...(consolePassword !== undefined && { password: consolePassword }),
      ...(consoleSources !== undefined && { sources: consoleSources }),
    }),
  }
}
