import { type Dhcp, dhcpPorts, dhcpTypes, readDhcp, writeDhcp } from '../src/frames/dhcp.ts'
import { DNS_PORT } from '../src/frames/dns.ts'
import type { TestHost } from './network-host.ts'

export interface TestDhcpServer {
  readonly requests: readonly Dhcp[]
  /** Fields of the next answers, by the type of the request. `nothing` sends no answer. */
  answers: Partial<Record<number, Partial<Dhcp> | 'nothing'>>
}

const types = dhcpTypes

/** Assigns the same address to every client. */
export const serveDhcp = (host: TestHost, own: number, given: number, lease: Partial<Dhcp>): TestDhcpServer => {
  const requests: Dhcp[] = []
  const server: TestDhcpServer = { requests, answers: {} }
  let seen = 0
  host.onFrame = () => {
    const all = host.udp
    for (const { destinationPort, payload } of all.slice(seen)) {
      const request = destinationPort === dhcpPorts.server ? readDhcp(payload) : undefined
      if (request === undefined) continue
      requests.push(request)
      const answer = server.answers[request.type]
      const type =
        request.type === types.discover ? types.offer : request.type === types.request ? types.acknowledge : 0
      if (type === 0 || answer === 'nothing') continue
      const { transaction, clientMac } = request
      const reply: Dhcp = { type, transaction, clientMac, yourAddress: given, serverAddress: own, ...lease, ...answer }
      const udp = { sourcePort: dhcpPorts.server, destinationPort: dhcpPorts.client, payload: writeDhcp(reply) }
      host.sendUdp(udp, own, reply.yourAddress ?? given, clientMac)
    }
    seen = all.length
  }
  return server
}

/** Answers every query with the record of its type. */
export const serveDns = (host: TestHost, own: number, records: Readonly<Record<number, Buffer>>): void => {
  let seen = 0
  host.onFrame = () => {
    const all = host.udp
    for (const { destinationPort, sourcePort, payload, packet } of all.slice(seen)) {
      if (destinationPort !== DNS_PORT) continue
      const query = Buffer.from(payload)
      const type = query.readUInt16BE(query.length - 4)
      const data = records[type]
      const record =
        data === undefined
          ? Buffer.alloc(0)
          : Buffer.concat([Buffer.from('c00c', 'hex'), Buffer.of(0, type, 0, 1, 0, 0, 0, 9, 0, data.length), data])
      const answer = Buffer.concat([query, record])
      answer.writeUInt16BE(0x8180, 2)
      answer.writeUInt16BE(data === undefined ? 0 : 1, 6)
      host.sendUdp(
        { sourcePort: DNS_PORT, destinationPort: sourcePort, payload: answer },
        own,
        packet.source,
        0x005079666800,
      )
    }
    seen = all.length
  }
}
