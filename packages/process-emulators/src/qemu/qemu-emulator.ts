import { dirname } from 'node:path'
import type {
  EmulatedInstance,
  Emulator,
  MachineSettings,
  RunningInstance,
  StartOptions,
  Wiring,
} from '@trivium/emulation-core/ports'
import { allowedFile, allowedPath, type ImageDirectories } from '../images/allowed-file.ts'
import { endOrphanedHelpers, endOrphans } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { hostMegabytes, requireMemory } from '../processes/memory-limit.ts'
import { plugNics } from '../processes/plug-nics.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { type Acceleration, createAccelerationTest, hostArchitectures } from './acceleration.ts'
import { hasUdpKind, machineParameters } from './command-line.ts'
import { prepareDisks } from './instance-disks.ts'
import { drawLoopbackAddress } from './loopback-address.ts'
import { macAddress } from './mac-address.ts'
import { allowedProgram, displayOf, type ProgramRules, packageOf } from './machine-program.ts'
import { networkCard } from './network-card.ts'
import { chooseAcceleration, readOptions } from './option-policy.ts'
import { createProgramList } from './programs.ts'
import { startMachine } from './start-machine.ts'

/** The images and programs that are allowed, and the limits of instances. */
export interface QemuEmulatorOptions {
  /**
   * Absolute paths of directories whose disk, kernel and initrd images are allowed. Relative paths start at the first.
   */
  readonly imageDirectories: readonly string[]
  /** Paths of single images elsewhere that are allowed. @default none */
  readonly images?: readonly string[]
  /** Directories whose QEMU programs are allowed. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** Absolute paths of programs elsewhere that are allowed. @default none */
  readonly programs?: readonly string[]
  /**
   * Allows every option, and every command of the monitor. Both can read and write every file of the server and run
   * programs with its rights. Otherwise, only options and commands that affect the machine alone are allowed.
   * @default false
   */
  readonly trustOptions?: boolean
  /** The most memory of one instance. The sum of all instances is not limited. @default the memory of the host */
  readonly memoryLimitMegabytes?: number
  /**
   * The accelerator of machines whose options name none. `auto` tests each program once, at its first start, which
   * waits at most 2 seconds for the test, and uses `tcg` until it has succeeded. Any other value is used without a
   * test.
   *
   * @default 'auto'
   */
  readonly acceleration?: Acceleration
  /**
   * The environment of QEMU and its tools. No variable of the server is passed on.
   *
   * @default PATH, HOME and an English locale
   */
  readonly environment?: ProcessEnvironment
  /** Milliseconds that QEMU has to create its machine. @default 30,000 */
  readonly startTimeoutMs?: number
}

/**
 * Runs machines with QEMU. A start requires `qemu-system-x86` (or another architecture) and `qemu-utils` of Debian, and
 * rejects with a `missing-program` refusal where they are absent. CPU throttling also requires `cpulimit`.
 *
 * @example
 * ```ts
 * import { qemuEmulator } from '@trivium/process-emulators/qemu'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   machine: qemuEmulator({ imageDirectories: ['/srv/trivium/images'], memoryLimitMegabytes: 4096 }),
 * }
 * ```
 */
export function qemuEmulator(options: QemuEmulatorOptions): Emulator<'machine'> {
  const { trustOptions = false, acceleration = 'auto', startTimeoutMs = 30_000 } = options
  const { memoryLimitMegabytes = hostMegabytes() } = options
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories
  const rules: ProgramRules = { directories, programs: options.programs ?? [] }
  const images: ImageDirectories = { directories: options.imageDirectories, files: options.images ?? [] }
  const programs = createProgramList(rules, environment)
  const accelerationTest = createAccelerationTest({ environment })

  const findQemu = (program: string) =>
    findProgram({ program, directories, title: `QEMU binary '${program}'`, debianPackage: packageOf(program) })

  const accelerator = async (program: string, words: readonly string[]) => {
    if (chooseAcceleration(words)) return undefined
    return acceleration === 'auto' ? ((await accelerationTest.find(program)) ?? 'tcg') : acceleration
  }

  const imagePath = async (path: string, title: string) =>
    path === '' ? { path: '', realPath: '' } : allowedFile(path, title, images)

  /** Images may be uploaded after the machine was created. Paths stay as the client named them. */
  const requireAllowed = async ({ primaryDisk, secondaryDisk, initialRamDisk, kernelImage }: MachineSettings) => {
    const paths = [
      [primaryDisk, 'hda disk image'],
      [secondaryDisk, 'hdb disk image'],
      [initialRamDisk, 'initrd file'],
      [kernelImage, 'kernel image'],
    ] as const
    for (const [path, title] of paths) if (path !== '') await allowedPath(path, title, images)
  }

  const check = async (settings: MachineSettings): Promise<MachineSettings> => {
    readOptions(settings.options, { trusted: trustOptions })
    networkCard(settings.adapterType)
    requireMemory(settings.memoryMegabytes, memoryLimitMegabytes)
    await requireAllowed(settings)
    return { ...settings, program: allowedProgram(settings.program, rules) }
  }

  const start = async (
    { id, name, directory, settings: stored }: EmulatedInstance<'machine'>,
    wiring: Wiring,
    startOptions: StartOptions,
  ): Promise<RunningInstance<'machine'>> => {
    const settings = await check(stored)
    // A start that lacks an image makes no disk.
    await imagePath(settings.primaryDisk, 'hda disk image')
    await imagePath(settings.secondaryDisk, 'hdb disk image')
    const { realPath: initialRamDisk } = await imagePath(settings.initialRamDisk, 'initrd file')
    const { realPath: kernelImage } = await imagePath(settings.kernelImage, 'kernel image')
    const program = await findQemu(settings.program)
    const words = readOptions(settings.options, { trusted: trustOptions })
    const card = networkCard(settings.adapterType)
    const disks = await prepareDisks({
      directory,
      primaryDisk: settings.primaryDisk,
      secondaryDisk: settings.secondaryDisk,
      images,
      tool: { program: await findImageTool(dirname(program), directories), environment },
    })
    const { version, hasSandbox } = await programs.describe(program)
    const command = {
      name,
      memoryMegabytes: settings.memoryMegabytes,
      accelerator: await accelerator(program, words),
      disks,
      initialRamDisk,
      kernelImage,
      kernelCommandLine: settings.kernelCommandLine,
      options: words,
      legacyNetworking: settings.legacyNetworking,
      version,
      sandbox: hasSandbox && !trustOptions,
      display: displayOf(program),
    }
    const localAddress = hasUdpKind(command) ? '127.0.0.1' : drawLoopbackAddress()
    const plugged = await plugNics(wiring, wiring.nics, { deviceAddress: localAddress })
    const adapters = plugged.nics.map(({ nic, plug }) => ({
      card,
      mac: macAddress(id, nic.adapter),
      remotePort: plug.relayPort,
      localAddress,
      localPort: plug.devicePort,
    }))
    try {
      return await startMachine({
        instanceId: id,
        directory,
        settings,
        program,
        parameters: (sockets) => machineParameters({ ...command, ...sockets, adapters }),
        wiring,
        options: startOptions,
        directories,
        environment,
        trusted: trustOptions,
        version: command.version.text,
        accelerator: command.accelerator,
        timeoutMs: startTimeoutMs,
        release: plugged.unplug,
      })
    } catch (error) {
      await plugged.unplug()
      throw error
    }
  }

  return {
    kind: 'machine',
    check,
    start,
    endOrphans: async (strays) => {
      await endOrphans(strays)
      await endOrphanedHelpers()
    },
    programs: programs.list,
    capabilities: async () => {
      const accelerated: string[] = []
      for (const architecture of hostArchitectures) {
        const program = await findQemu(`qemu-system-${architecture}`)
        if (accelerationTest.known(program) !== undefined) accelerated.push(architecture)
      }
      return { acceleratedArchitectures: accelerated }
    },
    close: async () => accelerationTest.close(),
  }
}

/** Prefers `qemu-img` in the directory of the program, which has the same version. */
const findImageTool = (preferredDirectory: string, directories: readonly string[]) =>
  findProgram({
    program: 'qemu-img',
    directories: [preferredDirectory, ...directories],
    title: 'qemu-img',
    debianPackage: 'qemu-utils',
  })
