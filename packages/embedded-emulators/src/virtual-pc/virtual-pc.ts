import type { ConsoleEndpoint, InstanceFiles } from '@trivium/emulation-core/ports'
import { formatIpv6 } from '../addresses/ipv6-address.ts'
import type { MacAddress } from '../addresses/mac-address.ts'
import type { Clock } from '../clock/clock.ts'
import { isPcName } from './commands/settings.ts'
import { banner } from './commands/show.ts'
import { createConsoleBuffer } from './console-buffer.ts'
import { createDhcpClient } from './network/dhcp-client.ts'
import { linkLocalOf } from './network/ipv6-host.ts'
import { createNetwork } from './network/network.ts'
import type { Pc } from './pc.ts'
import { createShell } from './shell/shell.ts'
import { STARTUP_SCRIPT } from './startup-script.ts'

export interface VirtualPcOptions {
  readonly name: string
  readonly mac: MacAddress
  readonly files: InstanceFiles
  readonly clock: Clock
  readonly random: () => number
  /** Sends a frame to the network. */
  readonly send: (frame: Uint8Array) => void
  /** Called at the command `quit`. */
  readonly ended: () => void
}

/** A machine with a shell and one network card. It uses no time without input or received frames, except for timers. */
export interface VirtualPc {
  readonly console: ConsoleEndpoint
  receive(frame: Uint8Array): void
  /** Sets the link-local address and starts the shell with the startup script. Does not wait for the script. */
  start(): Promise<void>
  /** Stops as at a power failure: everything that was not saved is lost. */
  stop(): void
  /** Announces the addresses to the link. Called when the cable gets a carrier. */
  linkUp(): void
  /** Sets a new name of the instance, unless a name was set in the shell. */
  rename(name: string): void
}

function promptName(name: string): string {
  const printable = name.replace(/[^\x21-\x7e]+/g, '-').slice(0, 64)
  return isPcName(printable) ? printable : 'PC'
}

export function createVirtualPc({ name, mac, files, clock, random, send, ended }: VirtualPcOptions): VirtualPc {
  let running = true
  let instanceName = promptName(name)
  const network = createNetwork({
    mac,
    clock,
    random,
    send: (frame) => {
      if (running) send(frame)
    },
  })
  const { ipv4, ipv6 } = network

  const dhcp = createDhcpClient({
    network,
    hostName: () => pc.name,
    changed(lease) {
      ipv4.neighbours.clear()
      if (lease === undefined) {
        ipv4.config = undefined
        return
      }
      const { address, prefixLength, gateway, dnsServers, domain } = lease
      ipv4.config = { address, prefixLength, ...(gateway === undefined ? {} : { gateway }) }
      pc.dnsServers = dnsServers
      pc.domain = domain
      ipv4.announce()
    },
  })
  const pc: Omit<Pc, 'runScript'> = {
    name: instanceName,
    network,
    clock,
    dhcp,
    files,
    dnsServers: [],
    domain: undefined,
    autoIpv6: false,
    scriptEcho: false,
    history: [],
    quit: ended,
  }
  const output = createConsoleBuffer((bytes) => shell.type(bytes))
  const shell = createShell({ pc, write: output.print })

  /** Uses the address immediately (RFC 4429), and removes it when another host has it. */
  const claimLinkLocal = async () => {
    const address = linkLocalOf(mac)
    ipv6.linkLocal = address
    const taken = await ipv6.isTaken(address)
    if (!running) return
    if (taken) {
      ipv6.linkLocal = undefined
      shell.notice(`${formatIpv6(address)} is used by another host: IPv6 is off until the next start`)
    } else ipv6.solicitRouters()
  }

  return {
    console: output,
    receive(frame) {
      if (running) network.receive(frame)
    },
    async start() {
      void claimLinkLocal()
      // The machine runs even when its script can't be read.
      const script = await files.read(STARTUP_SCRIPT).catch(() => undefined)
      void shell.start(banner, script)
    },
    stop() {
      running = false
      shell.stop()
      dhcp.forget()
      ipv4.neighbours.clear()
      ipv6.neighbours.clear()
    },
    linkUp() {
      if (!running) return
      ipv4.announce()
      if (ipv6.linkLocal !== undefined) ipv6.solicitRouters()
    },
    rename(next) {
      const previousName = instanceName
      instanceName = promptName(next)
      if (pc.name === previousName) pc.name = instanceName
    },
  }
}
