import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EmulatedInstance,
  type Emulator,
  Refusal,
  type RunningInstance,
  type StartOptions,
  type UdpPlug,
  type Wiring,
} from '@trivium/emulation-core/ports'
import { endOrphans } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { plugNics } from '../processes/plug-nics.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { resourcesOf } from '../processes/process-resources.ts'
import { runProgram } from '../processes/run-program.ts'
import { startProcess } from '../processes/start-process.ts'
import { createStreamConsole } from '../processes/stream-console.ts'
import { waitUntilReady } from '../processes/wait-until-ready.ts'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { virtualPcParameters } from './command-line.ts'
import { requireHarmlessScript } from './command-policy.ts'
import { guardConsole } from './guarded-console.ts'
import { terminalCommand } from './terminal-command.ts'
import { untilGreeting } from './until-greeting.ts'
import { macByteOf, requireVpcsMac } from './vpcs-mac.ts'
import { compareVersions, OLDEST_VERSION, parseVpcsVersion } from './vpcs-version.ts'

const STARTUP_SCRIPT = 'startup.vpc'
/** The checked copy that VPCS runs: it reads its script after the start, when a client can have replaced the original. */
const CHECKED_SCRIPT = 'checked.vpc'
/** The greeting takes milliseconds, the first prompt a second. */
const START_MS = 10_000

/** The program that is run, and the commands that it allows. */
export interface VpcsEmulatorOptions {
  /** The program: a name or an absolute path. @default 'vpcs' */
  readonly program?: string
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /**
   * The environment of VPCS, in which `HOME` is replaced by the directory of the instance. No variable of the server is
   * passed on.
   *
   * @default PATH, HOME and an English locale
   */
  readonly environment?: ProcessEnvironment
  /**
   * Allows every command, typed or in a startup script. VPCS then runs programs with the rights of the server (`!`) and
   * opens connections to any address (`rlogin`, `relay`, `set rhost`). `load` can do all of that.
   * @default false
   */
  readonly trustCommands?: boolean
}

/**
 * Runs virtual PCs as VPCS processes. A start requires `vpcs` of Debian, version 0.5b1 or newer, and `script` of
 * `bsdutils` for its terminal, so that it listens on no TCP port. The UDP port of its link is open on all addresses of
 * the host and receives frames from every sender: block it in the firewall of the host.
 *
 * @example
 * ```ts
 * import { vpcsEmulator } from '@trivium/process-emulators/vpcs'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   'virtual-pc': vpcsEmulator(),
 * }
 * ```
 */
export function vpcsEmulator(options: VpcsEmulatorOptions = {}): Emulator<'virtual-pc'> {
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories
  const { trustCommands = false } = options
  const checked = new Map<string, number>()

  const findVpcs = async () => {
    const program = await findProgram({
      program: options.program ?? 'vpcs',
      directories,
      title: 'VPCS',
      debianPackage: 'vpcs',
    })
    const changed = (await stat(program)).mtimeMs
    if (checked.get(program) !== changed) {
      await requireVersion(program, environment)
      checked.set(program, changed)
    }
    return program
  }

  const startProgram = async (
    program: string,
    instance: EmulatedInstance<'virtual-pc'>,
    plug: UdpPlug,
    startupScript: string | undefined,
    options: StartOptions,
  ) => {
    const { id, directory } = instance
    const parameters = virtualPcParameters({
      localPort: plug.devicePort,
      remotePort: plug.relayPort,
      macByte: macByteOf(instance),
      startupScript,
    })
    const process = await startProcess({
      ...(await terminalCommand(program, parameters, directories)),
      directory,
      logFile: 'vpcs.log',
      logged: options.logged,
      // VPCS stores its history of commands there.
      environment: { ...environment, HOME: directory },
      instanceId: id,
      terminal: 'stream',
    })
    const { terminal } = process
    if (terminal === undefined) throw new Error('A process was started without its terminal')
    const console = createStreamConsole(terminal)
    const children = await waitUntilReady({
      process,
      title: 'VPCS',
      options,
      answers: untilGreeting(terminal.output),
      timeoutMs: START_MS,
    })
    return { process, console, children }
  }

  const start = async (
    instance: EmulatedInstance<'virtual-pc'>,
    wiring: Wiring,
    startOptions: StartOptions,
  ): Promise<RunningInstance<'virtual-pc'>> => {
    const program = await findVpcs()
    const script = trustCommands ? await startupScript(instance.directory) : await checkedScript(instance.directory)
    const plugged = await plugNics(wiring, wiring.nics)
    try {
      const [nic] = plugged.nics
      if (nic === undefined) throw new Error('A virtual PC has one NIC')
      const { process, console, children } = await startProgram(program, instance, nic.plug, script, startOptions)
      const exited = process.exited.then(async (report) => {
        await plugged.unplug()
        return report
      })
      const processes = () => (process.hasExited() ? [] : [process.record, ...children])
      return {
        get processes() {
          return processes()
        },
        console: trustCommands ? console : guardConsole(console),
        exited,
        stop: async () => {
          await process.stop()
          await exited
        },
        resources: () => resourcesOf(processes()),
      }
    } catch (error) {
      await plugged.unplug()
      throw error
    }
  }

  return {
    kind: 'virtual-pc',
    async check({ engine = 'vpcs', ...settings }) {
      if (engine !== 'vpcs') {
        throw new Refusal('unsupported', `This server has no virtual PCs of the engine '${engine}'.`)
      }
      if (settings.macAddress !== undefined) requireVpcsMac(settings.macAddress)
      return { ...settings, engine }
    },
    start,
    endOrphans: (strays) => endOrphans(strays),
  }
}

async function requireVersion(program: string, environment: ProcessEnvironment): Promise<void> {
  const { output, errorOutput } = await runProgram({
    program,
    parameters: ['-v'],
    environment,
    timeoutMs: 10_000,
  })
  const version = parseVpcsVersion(output + errorOutput)
  if (version === undefined) throw new Refusal('failed', `${program} does not print a version in the format of VPCS.`)
  if (compareVersions(version, OLDEST_VERSION) < 0) {
    throw new Refusal('unsupported', `VPCS executable version must be >= ${OLDEST_VERSION}; ${program} is ${version}`)
  }
}

const startupScript = async (directory: string) =>
  (await isFile(join(directory, STARTUP_SCRIPT))) ? STARTUP_SCRIPT : undefined

/** Writes a copy also without a script, as VPCS would then read the original itself. */
async function checkedScript(directory: string): Promise<string> {
  const text = await textOf(join(directory, STARTUP_SCRIPT))
  requireHarmlessScript(text)
  await writePlainFile(join(directory, CHECKED_SCRIPT), Buffer.from(text, 'latin1'))
  return CHECKED_SCRIPT
}

const isFile = (path: string) =>
  stat(path).then(
    (status) => status.isFile() && status.size > 0,
    () => false,
  )

/** The content of a file. Empty where the file is absent. */
const textOf = async (path: string) => ((await isFile(path)) ? readFile(path, 'latin1') : '')
