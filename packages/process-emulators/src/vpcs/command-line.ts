export interface VirtualPcCommand {
  /** Both on 127.0.0.1. */
  readonly localPort: number
  readonly remotePort: number
  /** 0 to 255: the last byte of its MAC address, 00:50:79:66:68:xx. */
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
