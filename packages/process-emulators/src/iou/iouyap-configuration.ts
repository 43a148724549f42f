import type { NicAddress } from '@trivium/emulation-core/ports'
import { PEER_OFFSET } from './netmap.ts'

export interface Tunnel {
  readonly nic: NicAddress
  /** On 127.0.0.1, as `remotePort`. */
  readonly localPort: number
  readonly remotePort: number
}

/** The configuration of iouyap, which carries the frames of a router between its sockets and UDP. */
export function iouyapConfiguration(applicationId: number, tunnels: readonly Tunnel[]): string {
  const sections = tunnels.map(
    ({ nic, localPort, remotePort }) =>
      `\n[${applicationId + PEER_OFFSET}:${nic.adapter}/${nic.port}]\ntunnel_udp = ${localPort}:127.0.0.1:${remotePort}\n`,
  )
  return `[default]\nnetmap = NETMAP\nbase_port = 49000\n${sections.join('')}`
}
