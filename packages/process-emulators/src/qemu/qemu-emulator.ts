import { dirname } from 'node:path'
import {
  type EmulatedInstance,
  type Emulator,
  type MachineSettings,
  machineMac,
  Refusal,
  type RunningInstance,
  type StartOptions,
  type Wiring,
} from '@trivium/emulation-core/ports'
import { allowedFile, allowedPath, type ImageDirectories } from '../images/allowed-file.ts'
import { endOrphanedHelpers, endOrphans } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { hostMegabytes, requireMemory } from '../processes/memory-limit.ts'
import { plugNics } from '../processes/plug-nics.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { type Acceleration, createAccelerationTest, hostArchitectures } from './acceleration.ts'
import { hasUdpKind, type MachineScreen, machineParameters } from './command-line.ts'
import { cdromIndex } from './drives.ts'
import { diskNames, prepareDisks, type WantedDisk } from './instance-disks.ts'
import { drawLoopbackAddress } from './loopback-address.ts'
import { allowedProgram, displayOf, type ProgramRules, packageOf } from './machine-program.ts'
import { networkCard } from './network-card.ts'
import { chooseAcceleration, readOptions } from './option-policy.ts'
import { createProgramList } from './programs.ts'
import { startMachine } from './start-machine.ts'
import { prepareUefi } from './uefi-firmware.ts'

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
  /**
   * Milliseconds that a guest has to shut down after its power button was pressed, for machines whose close action is
   * `shutdown-signal`. The machine is then stopped as any other.
   *
   * @default 30,000
   */
  readonly shutdownTimeoutMs?: number
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
  const { trustOptions = false, acceleration = 'auto' } = options
  const { startTimeoutMs = 30_000, shutdownTimeoutMs = 30_000 } = options
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

  const findImage = async (path: string, title: string) =>
    path === '' ? '' : (await allowedFile(path, title, images)).realPath

  const check = async (settings: MachineSettings): Promise<MachineSettings> => {
    readOptions(settings.options, { trusted: trustOptions })
    networkCard(settings.adapterType)
    for (const { adapterType } of settings.customAdapters) if (adapterType !== undefined) networkCard(adapterType)
    checkDrives(settings)
    requireMemory(settings.memoryMegabytes, memoryLimitMegabytes)
    // Images may be uploaded after the machine was created. Paths stay as the client named them.
    for (const [path, title] of imagesOf(settings)) if (path !== '') await allowedPath(path, title, images)
    return { ...settings, program: allowedProgram(settings.program, rules) }
  }

  const start = async (
    { id, projectId, name, directory, settings: stored }: EmulatedInstance<'machine'>,
    wiring: Wiring,
    startOptions: StartOptions,
  ): Promise<RunningInstance<'machine'>> => {
    const settings = await check(stored)
    // A start that lacks an image makes no disk.
    for (const [path, title] of imagesOf(settings)) if (path !== '') await allowedFile(path, title, images)
    const program = await findQemu(settings.program)
    const names = { 'vm-name': name, 'vm-id': id, 'project-id': projectId }
    const words = readOptions(settings.options, { trusted: trustOptions, names })
    const disks = await prepareDisks({
      directory,
      wanted: wantedDisks(settings),
      images,
      tool: { program: await findImageTool(dirname(program), directories), environment },
    })
    const { version, hasSandbox } = await programs.describe(program)
    const command = {
      name,
      memoryMegabytes: settings.memoryMegabytes,
      accelerator: await accelerator(program, words),
      disks,
      initialRamDisk: await findImage(settings.initialRamDisk, 'initrd file'),
      kernelImage: await findImage(settings.kernelImage, 'kernel image'),
      cdromImage: await findImage(settings.cdromImage, 'CD-ROM image'),
      biosImage: await findImage(settings.biosImage, 'BIOS image'),
      uefi: settings.uefi ? await prepareUefi(program, directory) : undefined,
      bootPriority: settings.bootPriority,
      cpus: settings.cpus,
      maxCpus: settings.maxCpus,
      serialPorts: settings.serialPorts,
      screen: screenOf(settings),
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
      card: networkCard(adapterTypeOf(settings, nic.adapter)),
      mac: machineMac(id, settings, nic.adapter),
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
        shutdownTimeoutMs,
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

/** The images that a machine names, with their titles in messages. */
const imagesOf = (settings: MachineSettings): readonly (readonly [path: string, title: string])[] => [
  ...wantedDisks(settings).map(({ image }, index) => [image, `${diskNames[index]} disk image`] as const),
  [settings.cdromImage, 'CD-ROM image'],
  [settings.biosImage, 'BIOS image'],
  [settings.initialRamDisk, 'initrd file'],
  [settings.kernelImage, 'kernel image'],
]

const wantedDisks = (settings: MachineSettings): readonly WantedDisk[] => [
  { image: settings.primaryDisk, interface: settings.primaryDiskInterface },
  { image: settings.secondaryDisk, interface: settings.secondaryDiskInterface },
  { image: settings.tertiaryDisk, interface: settings.tertiaryDiskInterface },
  { image: settings.quaternaryDisk, interface: settings.quaternaryDiskInterface },
]

/** Throws a `not-allowed` refusal for drives and firmware that exclude each other. */
function checkDrives(settings: MachineSettings): void {
  if (settings.uefi && settings.biosImage !== '') {
    throw new Refusal('not-allowed', 'A machine has a BIOS image or UEFI, not both.')
  }
  if (settings.cdromImage === '') return
  const disks = wantedDisks(settings).map((disk, index) => ({ ...disk, index }))
  cdromIndex(disks.filter(({ image, index }) => image !== '' || index === 0))
}

const adapterTypeOf = ({ adapterType, customAdapters }: MachineSettings, adapter: number) =>
  customAdapters.find((custom) => custom.adapter === adapter)?.adapterType ?? adapterType

function screenOf({ consoleType }: MachineSettings): MachineScreen {
  if (consoleType === 'vnc') return { type: 'vnc' }
  const agent = consoleType === 'spice+agent'
  return agent || consoleType === 'spice' ? { type: 'spice', agent } : { type: 'none' }
}

/** Prefers `qemu-img` in the directory of the program, which has the same version. */
const findImageTool = (preferredDirectory: string, directories: readonly string[]) =>
  findProgram({
    program: 'qemu-img',
    directories: [preferredDirectory, ...directories],
    title: 'qemu-img',
    debianPackage: 'qemu-utils',
  })
