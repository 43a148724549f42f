export interface VirtualPcCommand {
  /** TCP, of the program's own console. */
  readonly consolePort: number
  /** Both on 127.0.0.1. */
  readonly localPort: number
  readonly remotePort: number
  /** 0 to 255: the last byte of its MAC address, 00:50:79:66:68:xx. */
  readonly macByte: number
  /** Relative to the working directory. */
  readonly startupScript: string | undefined
}

/** The arguments of one virtual PC in the foreground. */
export const virtualPcParameters = (pc: VirtualPcCommand): readonly string[] => [
  '-p',
  `${pc.consolePort}`,
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
  '-F',
  ...(pc.startupScript === undefined ? [] : [pc.startupScript]),
]
