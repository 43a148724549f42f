import { join } from 'node:path'
import { loadNativeDatagrams } from '@trivium/native-datagrams'
import { openLinuxBridge } from './linux-bridge.ts'
import type { Traffic } from './processes.ts'
import { hasProgram, type Programs } from './programs.ts'

export interface Contestant {
  readonly name: string
  /** The command of the forwarder; absent where the kernel forwards. */
  readonly command?: readonly string[]
  readonly ready: 'when it prints' | 'after a pause'
  readonly ends: Traffic['ends']
  /** The beginning of the command of the traffic. */
  readonly prefix?: readonly string[]
}

export interface Contestants {
  readonly all: readonly Contestant[]
  /** Our switches with a link that delays every frame. */
  readonly late: readonly Contestant[]
  /** Contestants that are absent, with the reason. */
  readonly absent: readonly string[]
  /** Whether native batches can be loaded. */
  readonly hasNative: boolean
  remove(): void
}

export const DELAY_MS = 10

type SocketKind = 'worker' | 'native' | 'plain' | 'dgram'

/** Returns the forwarders that this machine can run, with their needs. */
export function gatherContestants(programs: Programs, [from, to]: readonly [number, number]): Contestants {
  const absent: string[] = []
  const udp: Traffic['ends'] = ['udp', String(from), String(to)]
  const ours = (way: SocketKind, delay: number): readonly string[] => [
    process.execPath,
    '--conditions=@trivium/source',
    join(import.meta.dirname, 'forwarder.ts'),
    ...[from, to, delay].map(String),
    way,
  ]
  const ways: SocketKind[] = ['dgram', 'plain']
  const native = loadNativeDatagrams({ onAbsent: ({ message }) => absent.push(`switch, native: ${message}`) })
  if (native !== undefined) ways.push('native', 'worker')

  const all: Contestant[] = (['floor', 'floor-batched'] as const).map((name) => ({
    name: name === 'floor' ? 'C, recv and send' : 'C, in batches',
    command: [programs.path(name), String(from), String(to)],
    ready: 'after a pause',
    ends: udp,
  }))
  if (hasProgram('vde_switch') && programs.supportsVde) {
    const directory = join(programs.directory, 'vde')
    const command = ['vde_switch', '--sock', directory]
    all.push({ name: 'vde_switch', command, ready: 'after a pause', ends: ['vde', directory, directory] })
  } else absent.push('vde_switch: Debian packages vde-switch and libvdeplug-dev')
  const bridge = openLinuxBridge()
  if (bridge === undefined) absent.push('Linux bridge: needs root and iproute2')
  else {
    const [one, other] = bridge.interfaces
    all.push({ name: 'Linux bridge', ready: 'after a pause', ends: ['packet', one, other], prefix: bridge.command })
  }
  const row = (name: string, way: SocketKind, delay: number): Contestant => ({
    name,
    command: ours(way, delay),
    ready: 'when it prints',
    ends: udp,
  })
  all.push(...ways.map((way) => row(`switch, ${way}`, way, 0)))
  return {
    all,
    late: ways.map((way) => row(`switch, ${way}`, way, DELAY_MS)),
    absent,
    hasNative: native !== undefined,
    remove: () => bridge?.remove(),
  }
}
