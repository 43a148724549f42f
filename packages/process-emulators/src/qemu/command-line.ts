import { type BootPriority, type DisplayProtocol, Refusal } from '@trivium/emulation-core/ports'
import { driveParameters, type MachineDrives } from './drives.ts'
import { escaped } from './escaped.ts'
import { adapterPlace, bridgeParameters } from './network-bridges.ts'
import { isAtLeast, type QemuVersion, sandboxParameters } from './qemu-version.ts'

/** A machine with resolved programs and checked paths. */
export interface MachineCommand extends MachineDrives {
  readonly name: string
  readonly memoryMegabytes: number
  /** `undefined` leaves the accelerator to the options. */
  readonly accelerator: string | undefined
  readonly bootPriority: BootPriority
  readonly cpus: number
  readonly maxCpus: number
  /** At least 1. The first is the console, others are connected to nothing. */
  readonly serialPorts: number
  /** Where the display is shown besides the serial console. */
  readonly screen: MachineScreen
  readonly initialRamDisk: string
  readonly kernelImage: string
  readonly kernelCommandLine: string
  readonly options: readonly string[]
  readonly adapters: readonly MachineAdapter[]
  readonly legacyNetworking: boolean
  readonly version: QemuVersion
  /** Whether QEMU restricts the system calls of its process. */
  readonly sandbox: boolean
  /** The display card unless the options set one. `undefined` for a machine without a card. */
  readonly display: string | undefined
  /** File descriptors of connected sockets. */
  readonly controlSocket: number
  readonly consoleSocket: number
}

/** A display: none, or a socket of VNC or SPICE in the working directory. */
export type MachineScreen =
  | { readonly type: 'none' }
  | { readonly type: 'vnc' }
  | { readonly type: 'spice'; readonly agent: boolean }

/** The sockets of displays, in the directory of the instance. */
export const displaySockets: Readonly<Record<DisplayProtocol, string>> = { vnc: 'vnc.sock', spice: 'spice.sock' }

interface MachineAdapter {
  readonly card: string
  readonly mac: string
  /** The port of 127.0.0.1 to which it sends frames. */
  readonly remotePort: number
  /** The address on which it receives frames, from every sender. */
  readonly localAddress: string
  readonly localPort: number
}

/** The id of the network backend of an adapter, as the monitor prints it. */
export const netdevId = (adapter: number): string => `nic${adapter}`

/**
 * The arguments of the emulator, in the order that GNS3 uses: machine, disks, kernel, consoles, options, adapters. The
 * machine has no other devices than these and those of its board.
 */
export function machineParameters(machine: MachineCommand): readonly string[] {
  const { version, options } = machine
  return [
    ...(machine.sandbox ? sandboxParameters : []),
    ...(names(options, 'nodefaults') ? [] : defaults(machine)),
    '-name',
    `guest=${escaped(machine.name)}`,
    '-m',
    `${machine.memoryMegabytes}`,
    ...(machine.accelerator === undefined ? [] : acceleration(machine.accelerator, version)),
    ...processors(machine),
    ...driveParameters(machine),
    '-boot',
    `order=${machine.bootPriority}`,
    ...boot(machine),
    '-chardev',
    `socket,id=console,fd=${machine.consoleSocket}`,
    '-serial',
    'chardev:console',
    ...Array.from({ length: machine.serialPorts - 1 }, () => ['-serial', 'null']).flat(),
    '-chardev',
    `socket,id=control,fd=${machine.controlSocket}`,
    '-mon',
    'chardev=control,mode=control',
    '-monitor',
    'none',
    ...screen(machine),
    ...options,
    ...(machine.legacyNetworking ? [] : bridgeParameters(machine.adapters.length)),
    ...machine.adapters.flatMap((adapter, index) => networking(machine, adapter, index)),
    ...(machine.adapters.length === 0 ? ['-net', 'none'] : []),
    ...display(machine),
  ]
}

/** Whether the words have the option, with one dash or two. */
const names = (words: readonly string[], option: string) =>
  words.some((word) => word.replace(/^--/, '-') === `-${option}`)

const defaults = ({ display, options }: MachineCommand) => [
  '-nodefaults',
  ...(display === undefined || names(options, 'vga') ? [] : ['-vga', display]),
]

/** A machine without a screen shows the output of its firmware on the serial console. */
function display({ screen, options }: MachineCommand): readonly string[] {
  if (screen.type === 'none') return names(options, 'nographic') ? [] : ['-nographic']
  return screen.type === 'spice' || names(options, 'display') ? [] : ['-display', 'none']
}

function screen({ screen }: MachineCommand): readonly string[] {
  if (screen.type === 'none') return []
  if (screen.type === 'vnc') return ['-vnc', `unix:${displaySockets.vnc},share=force-shared`]
  return [
    '-spice',
    `unix=on,addr=${displaySockets.spice},disable-ticketing=on`,
    ...(screen.agent
      ? [
          ...['-device', 'virtio-serial-pci', '-chardev', 'spicevmc,id=agent,name=vdagent'],
          ...['-device', 'virtserialport,chardev=agent,name=com.redhat.spice.0'],
        ]
      : []),
  ]
}

const processors = ({ cpus, maxCpus, options }: MachineCommand) =>
  Math.max(cpus, maxCpus) === 1 || names(options, 'smp')
    ? []
    : ['-smp', `cpus=${cpus},maxcpus=${Math.max(cpus, maxCpus)}`]

const acceleration = (accelerator: string, version: QemuVersion) =>
  isAtLeast(version, 2, 9) ? ['-accel', accelerator] : ['-machine', `accel=${accelerator}`]

function boot({ initialRamDisk, kernelImage, kernelCommandLine }: MachineCommand): readonly string[] {
  // A multiboot kernel would load each part as a file.
  if (initialRamDisk.includes(','))
    throw new Refusal('unusable-image', 'The path of an initrd must not contain a comma.')
  return [
    ...(initialRamDisk === '' ? [] : ['-initrd', initialRamDisk]),
    ...(kernelImage === '' ? [] : ['-kernel', kernelImage]),
    ...(kernelCommandLine === '' ? [] : ['-append', kernelCommandLine]),
  ]
}

/** Whether adapters use the `udp` backend of the first versions, which has no setting for a local address. */
export const hasUdpKind = ({
  legacyNetworking,
  version,
}: Pick<MachineCommand, 'legacyNetworking' | 'version'>): boolean => legacyNetworking && !isAtLeast(version, 2, 9)

function networking(machine: MachineCommand, adapter: MachineAdapter, index: number): readonly string[] {
  const id = netdevId(index)
  const { card, mac, remotePort, localAddress, localPort } = adapter
  const netdev = ['-netdev', `socket,id=${id},udp=127.0.0.1:${remotePort},localaddr=${localAddress}:${localPort}`]
  if (!machine.legacyNetworking) {
    const place = adapterPlace(index)
    // A machine with a kernel never boots from the network: the boot ROM of the card only costs time.
    const rom = machine.kernelImage === '' && place === '' ? '' : ',romfile='
    return ['-device', `${card},mac=${mac},netdev=${id}${place}${rom}`, ...netdev]
  }
  const model = card.startsWith('virtio-net-pci') ? 'virtio' : card
  if (!hasUdpKind(machine)) return ['-net', `nic,netdev=${id},macaddr=${mac},model=${model}`, ...netdev]
  return [
    '-net',
    `nic,vlan=${index},macaddr=${mac},model=${model}`,
    '-net',
    `udp,vlan=${index},name=${id},sport=${localPort},dport=${remotePort},daddr=127.0.0.1`,
  ]
}
