import type { EmulatedInstance, Emulator, RunningInstance, StartOptions, Wiring } from '@trivium/emulation-core/ports'
import { endOrphans } from '../processes/end-orphans.ts'
import { defaultProgramDirectories, findProgram, isProgram } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { resourcesOf } from '../processes/process-resources.ts'
import { startProcess } from '../processes/start-process.ts'
import { waitUntilReady } from '../processes/wait-until-ready.ts'
import type { LabReach } from '../reach/lab-reach.ts'
import { answersProbe, arpProbe } from './arp-request.ts'
import { withoutClosedAnswers } from './closed-answer.ts'
import { natParameters } from './command-line.ts'
import { deliveredLease } from './delivered-lease.ts'
import { createFrameStream } from './frame-stream.ts'
import { judgeFrame } from './judge-frame.ts'
import { prohibitedReply } from './prohibited-reply.ts'

const START_MS = 10_000
/** How often the addresses of this machine are read again. */
const REFRESH_MS = 2000
/** Replies to refused packets of one node in a second. Further packets are dropped without a reply. */
const REPLIES = 100

/** What labs reach, and the program that carries them there. */
export interface NatEmulatorOptions {
  /** What labs reach: the result of `labReach`. */
  readonly reach: LabReach
  /** A QEMU program: a name or an absolute path. @default 'qemu-system-x86_64', or another architecture's */
  readonly program?: string
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** The environment of QEMU. No variable of the server is passed on. @default PATH, HOME and an English locale */
  readonly environment?: ProcessEnvironment
}

/** Any of them has the user-mode network. */
const programs = ['qemu-system-x86_64', 'qemu-system-aarch64', 'qemu-system-i386', 'qemu-system-arm']

/**
 * Runs NAT nodes, each with a QEMU process without a machine. Its user-mode network (libslirp) has DHCP, DNS, TCP, UDP
 * and ICMP echo, and needs no privileges. Every frame of the lab is judged before QEMU gets it, so that labs reach only
 * what `reach` allows. ICMP echo requires that the group of the server is within `net.ipv4.ping_group_range`, or root.
 *
 * @example
 * ```ts
 * import { labReach, natEmulator } from '@trivium/process-emulators/nat'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   nat: natEmulator({ reach: labReach(['internet', '10.20.0.0/16']) }),
 * }
 * ```
 */
export function natEmulator({ reach, ...options }: NatEmulatorOptions): Emulator<'nat'> {
  const environment = options.environment ?? plainEnvironment()
  const directories = options.programDirectories ?? defaultProgramDirectories

  const start = async (
    { id, directory }: EmulatedInstance<'nat'>,
    wiring: Wiring,
    startOptions: StartOptions,
  ): Promise<RunningInstance<'nat'>> => {
    const [nic] = wiring.nics
    if (nic === undefined) throw new Error('A NAT node has one NIC')
    const program = await findQemu(options.program, directories)
    await reach.refresh()
    const process = await startProcess({
      program,
      parameters: natParameters(reach),
      directory,
      logFile: 'nat.log',
      logged: startOptions.logged,
      environment,
      instanceId: id,
      terminal: 'log',
      sockets: 1,
    })
    const [socket] = process.sockets
    if (socket === undefined) throw new Error('A process was started without its socket')
    let port: ReturnType<Wiring['plug']> | undefined
    let ready: (() => void) | undefined
    const answers = new Promise<void>((resolve) => {
      ready = resolve
    })
    const stream = createFrameStream(socket, (frame) => {
      if (ready && answersProbe(frame)) {
        ready()
        ready = undefined
        return
      }
      const shown = withoutClosedAnswers(frame, reach)
      if (shown !== undefined) port?.send(deliveredLease(shown))
    })
    // The program ends with its stream.
    socket.once('close', () => process.signal('SIGTERM'))
    stream.send(arpProbe)
    const children = await waitUntilReady({
      process,
      title: 'QEMU',
      options: startOptions,
      answers,
      timeoutMs: START_MS,
    })

    const replies = createAllowance()
    port = wiring.plug(nic, (frame) => {
      const verdict = judgeFrame(frame, reach)
      if (verdict === 'pass') stream.send(frame)
      const reply = verdict === 'refused' && replies.take() ? prohibitedReply(frame) : undefined
      if (reply !== undefined) port?.send(reply)
    })
    const timer = setInterval(() => {
      replies.renew()
      // Where they cannot be read, those of the last time stay.
      reach.refresh().catch(() => {})
    }, REFRESH_MS)
    timer.unref()
    const exited = process.exited.then((report) => {
      clearInterval(timer)
      port?.unplug()
      return report
    })
    const processes = () => (process.hasExited() ? [] : [process.record, ...children])
    return {
      get processes() {
        return processes()
      },
      exited,
      stop: async () => {
        await process.stop()
        await exited
      },
      resources: () => resourcesOf(processes()),
    }
  }

  return { kind: 'nat', start, endOrphans: (strays) => endOrphans(strays) }
}

function createAllowance() {
  const most = (REPLIES * REFRESH_MS) / 1000
  let left = most
  return {
    take: () => {
      left -= 1
      return left >= 0
    },
    renew: () => {
      left = most
    },
  }
}

async function findQemu(program: string | undefined, directories: readonly string[]): Promise<string> {
  for (const name of program === undefined ? programs : []) {
    for (const directory of directories) if (await isProgram(`${directory}/${name}`)) return `${directory}/${name}`
  }
  return findProgram({
    program: program ?? 'qemu-system-x86_64',
    directories,
    title: 'QEMU',
    debianPackage: 'qemu-system-x86',
  })
}
