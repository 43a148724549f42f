import { type ContainerSettings, type Emulator, isRefusal, Refusal } from '@trivium/emulation-core/ports'
import { carrierAddress } from '../devices/carrier-address.ts'
import { endOrphanedHelpers } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { shellWords, UnreadableWords } from '../processes/shell-words.ts'
import { requireAllowedImage } from './allowed-image.ts'
import { INSTANCE_LABEL } from './container-body.ts'
import { createContainerEngine } from './container-engine.ts'
import { startContainer } from './start-container.ts'

/** The container engine, and the images that labs can use. */
export interface ContainerEmulatorOptions {
  /** The Unix socket of Podman or Docker, such as `/run/podman/podman.sock`. */
  readonly socketPath: string
  /** The names of the images that labs can use. `*` stands for any characters. All others are refused. */
  readonly images: readonly string[]
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** The environment of socat and `ip`. No variable of the server is passed on. @default PATH, HOME and an English locale */
  readonly environment?: ProcessEnvironment
}

/**
 * Runs containers of Podman or Docker by the interface that both have. Images are never pulled. A container is made from
 * its image at each start and removed at each end; its volumes stay in the directory of the instance. It has no network
 * but its adapters in the lab, no privileges outside of its own namespaces, and limits of memory, processor time and
 * processes. Requires Linux, `socat`, `ip` of `iproute2`, and root.
 *
 * @example
 * ```ts
 * import { containerEmulator } from '@trivium/process-emulators/containers'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   container: containerEmulator({ socketPath: '/run/podman/podman.sock', images: ['localhost/labs/*'] }),
 * }
 * ```
 */
export function containerEmulator({ socketPath, images, ...options }: ContainerEmulatorOptions): Emulator<'container'> {
  const engine = createContainerEngine(socketPath)
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories
  const address = carrierAddress()

  const check = (settings: ContainerSettings): void => {
    requireAllowedImage(settings.image, images)
    requireReadable('start_command', settings.startCommand)
    requireReadable('console_command', settings.consoleCommand)
  }

  return {
    kind: 'container',
    check: async (settings) => {
      check(settings)
      return settings
    },
    start: async (instance, wiring, startOptions) => {
      // The host can have changed its list since the creation.
      check(instance.settings)
      const socat = await findProgram({ program: 'socat', directories, title: 'socat', debianPackage: 'socat' })
      const ip = await findProgram({ program: 'ip', directories, title: 'ip', debianPackage: 'iproute2' })
      const tools = { socat, ip, environment, address }
      return startContainer({ engine, tools, instance, wiring, options: startOptions })
    },
    endOrphans: async (strays) => {
      await endOrphanedHelpers()
      if (strays.length === 0) return
      const ids = new Set<string>(strays.map(({ id }) => id))
      try {
        const left = (await engine.labelled(INSTANCE_LABEL)).filter(({ value }) => ids.has(value))
        for (const { id } of left) await engine.remove(id)
      } catch (error) {
        // An engine that does not run has left no program. What it keeps is removed at the next start of the instance.
        if (!isRefusal(error)) throw error
      }
    },
  }
}

function requireReadable(field: string, line: string): void {
  try {
    shellWords(line)
  } catch (error) {
    if (!(error instanceof UnreadableWords)) throw error
    throw new Refusal('unsupported', `The words of '${field}' cannot be read: it has ${error.message}.`)
  }
}
