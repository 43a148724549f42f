/**
 * A network input/output: the network's end of a NIC. Each kind of instance supports some of the types. The relay of
 * `@trivium/embedded-emulators` carries `udp` and `null`, and with a `DeviceCarrier` network devices of the host.
 */
export type Nio = UdpNio | EthernetNio | TapNio | UnixNio | VdeNio | NullNio

export type NioType = Nio['type']

/** A UDP tunnel. Each datagram is one raw Ethernet frame, from the destination address to the end of the payload. */
export interface UdpNio {
  readonly type: 'udp'
  /** 1 to 65,535. */
  readonly localPort: number
  /** A name, which is resolved when the NIC is connected, or an IP address. */
  readonly remoteHost: string
  /** 1 to 65,535. */
  readonly remotePort: number
}

/** A network interface of the server's machine. */
export interface EthernetNio {
  readonly type: 'generic-ethernet' | 'linux-ethernet'
  /** The name of the interface, such as `eth0`. */
  readonly device: string
}

/** A TAP device of the server's machine. */
export interface TapNio {
  readonly type: 'tap'
  /** The name of the device, such as `tap0`. */
  readonly device: string
}

/** A pair of UNIX datagram sockets, by their paths. */
export interface UnixNio {
  readonly type: 'unix'
  readonly localFile: string
  readonly remoteFile: string
}

/** A port of a VDE switch, by the paths of its control socket and the own socket. */
export interface VdeNio {
  readonly type: 'vde'
  readonly controlFile: string
  readonly localFile: string
}

/** Drops every frame. */
export interface NullNio {
  readonly type: 'null'
}
