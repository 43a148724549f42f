export interface VirtualPcCommand {
  /** On 127.0.0.1, as `remotePort`. */
  readonly localPort: number
  readonly remotePort: number
  /** The last byte of the MAC address, 00:50:79:66:68:xx, from 0 to 255. */
  readonly macByte: number
  /** Relative to the working directory. */
  readonly startupScript: string | undefined
}

/** The arguments of one virtual PC on a terminal. */
export const virtualPcParameters = (pc: VirtualPcCommand): readonly string[] => [
  '-s',
  `${pc.localPort}`,
  '-c',
  `${pc.remotePort}`,
  '-t',
  '127.0.0.1',
  '-m',
  `${pc.macByte}`,
  '-i',
  '1',
  ...(pc.startupScript === undefined ? [] : [pc.startupScript]),
]
