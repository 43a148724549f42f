import type { IpAddress } from '../../addresses/ip-address.ts'
import type { Udp } from '../../frames/udp.ts'

interface UdpArrival extends Udp {
  readonly from: IpAddress
  readonly to: IpAddress
  readonly timeToLive: number
  /** The length of the IP packet. */
  readonly bytes: number
}

/** The listeners of UDP ports, for both families. */
export interface UdpPorts {
  /** @returns a function that ends it */
  listen(port: number, receive: (arrival: UdpArrival) => void): () => void
  /** @returns false when the port has no listener */
  deliver(arrival: UdpArrival): boolean
  /** A port of the dynamic range without a listener. */
  free(random: () => number): number
}

const dynamic = { first: 49_152, count: 16_384 } as const

export function createUdpPorts(): UdpPorts {
  const listeners = new Map<number, (arrival: UdpArrival) => void>()
  return {
    listen(port, receive) {
      listeners.set(port, receive)
      return () => {
        if (listeners.get(port) === receive) listeners.delete(port)
      }
    },
    deliver(arrival) {
      const receive = listeners.get(arrival.destinationPort)
      receive?.(arrival)
      return receive !== undefined
    },
    free(random) {
      let port = dynamic.first + Math.floor(random() * dynamic.count)
      while (listeners.has(port)) port = dynamic.first + ((port - dynamic.first + 1) % dynamic.count)
      return port
    },
  }
}
