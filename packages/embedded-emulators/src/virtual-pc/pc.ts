import type { IpAddress } from '../addresses/ip-address.ts'
import type { Clock } from '../clock/clock.ts'
import type { DhcpClient } from './network/dhcp-client.ts'
import type { Network } from './network/network.ts'
import type { PcFiles } from './pc-files.ts'

/** A virtual PC as its commands see it. */
export interface Pc {
  name: string
  readonly network: Network
  readonly clock: Clock
  readonly dhcp: DhcpClient
  dnsServers: readonly IpAddress[]
  domain: string | undefined
  /** The global IPv6 address came from a router. */
  autoIpv6: boolean
  /** Lines of scripts are shown before they are run. */
  scriptEcho: boolean
  readonly history: string[]
  readonly files: PcFiles
  /** Runs every line as if it were typed, until one is interrupted. */
  runScript(script: string): Promise<void>
  /** Ends the machine. */
  quit(): void
}
