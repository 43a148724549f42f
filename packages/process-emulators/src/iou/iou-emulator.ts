import { stat } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import {
  type EmulatedInstance,
  type Emulator,
  Refusal,
  type RouterSettings,
  type RunningInstance,
  type StartOptions,
  type Wiring,
} from '@trivium/emulation-core/ports'
import type { ImageDirectories } from '../images/allowed-file.ts'
import { endOrphans } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { hostMegabytes, requireMemory } from '../processes/memory-limit.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { routerParameters, supportsKeepalives } from './command-line.ts'
import { linkImage } from './image-link.ts'
import { licenceFile } from './licence-file.ts'
import { createLinkCarrier } from './link-carrier.ts'
import { requireLibraries } from './missing-libraries.ts'
import { netmap } from './netmap.ts'
import { adoptNvram } from './nvram-files.ts'
import { routerImage, routerImagePath } from './router-image.ts'
import { startRouter } from './start-router.ts'

const INITIAL_CONFIGURATION = 'initial-config.cfg'

/** The images that are allowed, their licence, and the programs that they need. */
export interface IouEmulatorOptions {
  /** Absolute paths of directories whose images are allowed. Relative paths of images start at the first. */
  readonly imageDirectories: readonly string[]
  /** Paths of single images elsewhere that are allowed. @default none */
  readonly images?: readonly string[]
  /** The file with the licence. @default `.iourc` in the home directory */
  readonly licence?: string
  /** The host name for which the licence has a key. @default the name of this host */
  readonly hostName?: string
  /** The program that carries frames: a name or an absolute path. Debian has no package of it. @default 'iouyap' */
  readonly iouyap?: string
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** The most memory of one instance. The sum of all instances is not limited. @default the memory of the host */
  readonly memoryLimitMegabytes?: number
  /**
   * The environment of images and iouyap, to which images get `IOURC`. No variable of the server is passed on.
   *
   * @default PATH, HOME and an English locale
   */
  readonly environment?: ProcessEnvironment
}

/**
 * Runs each router as a process of its IOU image, with an iouyap process for its links. Images, their licence and
 * iouyap come from the host. A start rejects with a refusal where one is absent. The UDP ports of iouyap are open on
 * all addresses of the host and receive frames from every sender: block them in the firewall of the host.
 *
 * @example
 * ```ts
 * import { iouEmulator } from '@trivium/process-emulators/iou'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   router: iouEmulator({ imageDirectories: ['/srv/trivium/images'], licence: '/srv/trivium/iourc' }),
 * }
 * ```
 */
export function iouEmulator(options: IouEmulatorOptions): Emulator<'router'> {
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories
  const images: ImageDirectories = { directories: options.imageDirectories, files: options.images ?? [] }
  const licence = options.licence ?? join(homedir(), '.iourc')
  const hostName = options.hostName ?? hostname()
  const { memoryLimitMegabytes = hostMegabytes() } = options

  const check = async (settings: RouterSettings): Promise<RouterSettings> => {
    requireMemory(settings.memoryMegabytes, memoryLimitMegabytes)
    return { ...settings, image: await routerImagePath(settings.image, images) }
  }

  const start = async (
    { id, directory, settings, slot }: EmulatedInstance<'router'>,
    wiring: Wiring,
    startOptions: StartOptions,
  ): Promise<RunningInstance<'router'>> => {
    if (slot === undefined || slot < 1 || slot > 511) throw new Error('A router has an application id of 1 to 511')
    requireMemory(settings.memoryMegabytes, memoryLimitMegabytes)
    const { realPath: image } = await routerImage(settings.image, images)
    const program = await findProgram({
      program: options.iouyap ?? 'iouyap',
      directories,
      title: 'iouyap, which is necessary to start IOU,',
    })
    await requireLibraries(image, environment)
    const IOURC = await licenceFile(licence, hostName)
    if (settings.keepalives) await requireKeepalives(image, directory, environment)
    await adoptNvram(directory, slot)
    await writePlainFile(join(directory, 'NETMAP'), netmap(slot))
    const { ethernetAdapters, serialAdapters, memoryMegabytes, nvramKilobytes, keepalives } = settings
    const parameters = routerParameters({
      ethernetAdapters,
      serialAdapters,
      memoryMegabytes,
      nvramKilobytes,
      keepalives,
      initialConfiguration: (await hasText(join(directory, INITIAL_CONFIGURATION))) ? INITIAL_CONFIGURATION : undefined,
      applicationId: slot,
    })
    const link = await linkImage(image, directory)
    const carrier = await createLinkCarrier({
      program,
      instanceId: id,
      applicationId: slot,
      directory,
      environment,
      wiring,
      logged: startOptions.logged,
    })
    return startRouter({
      image: link,
      parameters,
      instanceId: id,
      directory,
      environment: { ...environment, IOURC },
      carrier,
      options: startOptions,
    })
  }

  return { kind: 'router', check, start, endOrphans: (strays) => endOrphans(strays) }
}

async function requireKeepalives(image: string, directory: string, environment: ProcessEnvironment): Promise<void> {
  const parameters = ['-h']
  const help = await runProgram({ program: image, parameters, directory, environment, timeoutMs: 10_000 })
  if (supportsKeepalives(help.output + help.errorOutput)) return
  throw new Refusal('unsupported', `layer 1 keepalive messages are not supported by ${image}`)
}

const hasText = (path: string) =>
  stat(path).then(
    (status) => status.isFile() && status.size > 0,
    () => false,
  )
