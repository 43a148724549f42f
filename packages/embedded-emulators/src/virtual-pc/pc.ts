import type { InstanceFiles } from '@trivium/emulation-core/ports'
import type { IpAddress } from '../addresses/ip-address.ts'
import type { Clock } from '../clock/clock.ts'
import type { DhcpClient } from './network/dhcp-client.ts'
import type { Network } from './network/network.ts'

/** The state of a virtual PC that its commands use. */
export interface Pc {
  name: string
  readonly network: Network
  readonly clock: Clock
  readonly dhcp: DhcpClient
  dnsServers: readonly IpAddress[]
  domain: string | undefined
  /** Whether the global IPv6 address was formed by `ip auto`. */
  autoIpv6: boolean
  /** Whether lines of scripts are printed before they run. */
  scriptEcho: boolean
  readonly history: string[]
  readonly files: InstanceFiles
  /** Runs the lines as if they were typed, until one is interrupted. */
  runScript(script: string): Promise<void>
  /** Switches the machine off. */
  quit(): void
}
