export interface RouterCommand {
  readonly ethernetAdapters: number
  readonly serialAdapters: number
  readonly memoryMegabytes: number
  readonly nvramKilobytes: number
  /** Relative to the working directory. */
  readonly initialConfiguration: string | undefined
  readonly keepalives: boolean
  /** From 1 to 511. */
  readonly applicationId: number
}

/** The defaults of an image. */
const defaults = { adapters: 2, memoryMegabytes: 256, nvramKilobytes: 128 }

/**
 * The arguments of the image, in the order that GNS3 uses. Without `-L`, the console is the input and output of the
 * process rather than a datagram socket, which Node can't open.
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

/** Whether the output of `-h` lists keepalive messages. */
export const supportsKeepalives = (help: string): boolean => /-l\s+Enable Layer 1 keepalive messages/.test(help)
