/** A network input/output: the network's end of a NIC. */
export type Nio = UdpNio | EthernetNio | TapNio | UnixNio | VdeNio | NullNio

export type NioType = Nio['type']

/** A UDP tunnel. Each datagram is one raw Ethernet frame, from the destination address to the end of the payload. */
export interface UdpNio {
  readonly type: 'udp'
  /** 1 to 65,535. */
  readonly localPort: number
  /** A name or an IP address. */
  readonly remoteHost: string
  /** 1 to 65,535. */
  readonly remotePort: number
}

export interface EthernetNio {
  readonly type: 'generic-ethernet' | 'linux-ethernet'
  readonly device: string
}

export interface TapNio {
  readonly type: 'tap'
  readonly device: string
}

export interface UnixNio {
  readonly type: 'unix'
  readonly localFile: string
  readonly remoteFile: string
}

export interface VdeNio {
  readonly type: 'vde'
  readonly controlFile: string
  readonly localFile: string
}

/** Drops every frame. */
export interface NullNio {
  readonly type: 'null'
}
