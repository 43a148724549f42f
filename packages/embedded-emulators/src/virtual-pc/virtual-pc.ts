import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'
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
import { type PcFiles, STARTUP_SCRIPT } from './pc-files.ts'
import { createShell } from './shell/shell.ts'

export interface VirtualPcOptions {
  readonly name: string
  readonly mac: MacAddress
  readonly files: PcFiles
  readonly clock: Clock
  readonly random: () => number
  /** To the network. */
  readonly send: (frame: Uint8Array) => void
  /** `quit` was typed. */
  readonly ended: () => void
}

/** A machine with a shell and one network card. Nothing of it runs while nobody types and nothing arrives. */
export interface VirtualPc {
  readonly console: ConsoleEndpoint
  receive(frame: Uint8Array): void
  /** Comes up with its link-local address and runs its startup script. */
  start(): Promise<void>
  /** As after a power cut: everything that was not saved is gone. */
  stop(): void
  /** The cable has a carrier now: tells the link who is here. */
  linkUp(): void
  /** Follows a new name of the instance, unless one was set in the shell. */
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

  /** The address is used at once (RFC 4429) and given up should somebody have it. */
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
      // A script that can't be read must not keep the machine from running.
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
      const was = instanceName
      instanceName = promptName(next)
      if (pc.name === was) pc.name = instanceName
    },
  }
}
