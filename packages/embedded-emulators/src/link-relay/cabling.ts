import { Refusal } from '@trivium/emulation-core/ports'
import type { OpenDatagramChannel } from '../datagrams/datagram-channel.ts'
import type { Connection } from './nic-entry.ts'

/**
 * Joins the connections of one relay that point at each other. Every other connection has a socket. Its methods must
 * not run at the same time.
 */
export interface Cabling {
  /** Joins the connection, or opens its socket. Rejects with a `Refusal`, and then changes nothing. */
  add(connection: Connection): Promise<void>
  /** Closes its socket, or opens a socket for the peer that it was joined with. */
  remove(connection: Connection): Promise<void>
}

export interface CablingOptions {
  readonly openChannel: OpenDatagramChannel
  /** The local addresses of sockets whose remote host is another machine. */
  readonly foreignAddresses: { readonly ipv4: string; readonly ipv6: string }
}

const loopbacks = { ipv4: '127.0.0.1', ipv6: '::1' } as const

/** By the system call that failed and its error code. */
const reasons: Readonly<Record<string, string>> = {
  'bind EADDRINUSE': 'its local port is in use',
  'bind EACCES': 'its local port is reserved',
  'connect EACCES': 'its other end is a broadcast address',
  'connect ENETUNREACH': 'there is no way to that network',
}

const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? reasons[`${error.syscall} ${error.code}`]
    : undefined

export function createCabling({ openChannel, foreignAddresses }: CablingOptions): Cabling {
  const byPort = new Map<number, Connection>()

  const pointsAt = (one: Connection, other: Connection): boolean =>
    one.udp?.remote.own === true && one.udp.nio.remotePort === other.udp?.nio.localPort

  const openSocket = async (connection: Connection): Promise<void> => {
    if (connection.udp === undefined) return
    const { nio, remote } = connection.udp
    const local = remote.loopback ? loopbacks[remote.family] : foreignAddresses[remote.family]
    try {
      connection.channel = await openChannel({
        local: { address: local, port: nio.localPort },
        remote: { address: remote.address, port: nio.remotePort },
        receive: (frame) => connection.incoming.send(frame),
      })
    } catch (error) {
      const reason = reasonOf(error) ?? 'the operating system refused it'
      throw new Refusal(
        'unavailable',
        `Could not create an UDP connection to ${remote.address}:${nio.remotePort}: ${reason}`,
        {
          cause: error,
        },
      )
    }
  }

  const closeChannel = async (connection: Connection): Promise<void> => {
    const { channel } = connection
    connection.channel = undefined
    await channel?.close()
  }

  return {
    async add(connection) {
      if (connection.udp === undefined) return
      const { localPort, remotePort } = connection.udp.nio
      if (byPort.has(localPort))
        throw new Refusal('unavailable', `UDP port ${localPort} is already used by another NIC.`)
      const other = remotePort === localPort ? connection : byPort.get(remotePort)
      const joined = other !== undefined && pointsAt(connection, other) && pointsAt(other, connection)
      if (!joined) await openSocket(connection)
      byPort.set(localPort, connection)
      if (!joined) return
      connection.peer = other
      other.peer = connection
      await closeChannel(other)
    },
    async remove(connection) {
      if (connection.udp === undefined) return
      if (byPort.get(connection.udp.nio.localPort) === connection) byPort.delete(connection.udp.nio.localPort)
      const { peer } = connection
      connection.peer = undefined
      await closeChannel(connection)
      if (peer === undefined || peer === connection) return
      peer.peer = undefined
      // Where the port is in use by now, the NIC has no network until it is cabled again.
      await openSocket(peer).catch(() => {})
    },
  }
}
