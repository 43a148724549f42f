export interface RouterCommand {
  readonly ethernetAdapters: number
  readonly serialAdapters: number
  readonly memoryMegabytes: number
  readonly nvramKilobytes: number
  /** Relative to the working directory. */
  readonly initialConfiguration: string | undefined
  readonly keepalives: boolean
  /** 1 to 511. */
  readonly applicationId: number
}

/** What an image takes when it is told nothing. */
const defaults = { adapters: 2, memoryMegabytes: 256, nvramKilobytes: 128 }

/**
 * The image's arguments, in the order of the original. Without its `-L`, the console is the process's own input and
 * output rather than a datagram socket, which Node can't open.
 */
export function routerParameters(router: RouterCommand): readonly string[] {
  const resized =
    router.memoryMegabytes !== defaults.memoryMegabytes || router.nvramKilobytes !== defaults.nvramKilobytes
  return [
    ...(router.ethernetAdapters === defaults.adapters ? [] : ['-e', `${router.ethernetAdapters}`]),
    ...(router.serialAdapters === defaults.adapters ? [] : ['-s', `${router.serialAdapters}`]),
    ...(resized ? ['-n', `${router.nvramKilobytes}`, '-m', `${router.memoryMegabytes}`] : []),
    ...(router.initialConfiguration === undefined ? [] : ['-c', router.initialConfiguration]),
    ...(router.keepalives ? ['-l'] : []),
    `${router.applicationId}`,
  ]
}

/** Whether the image says, in its `-h`, that it can keep its links alive. */
export const offersKeepalives = (help: string): boolean => /-l\s+Enable Layer 1 keepalive messages/.test(help)
