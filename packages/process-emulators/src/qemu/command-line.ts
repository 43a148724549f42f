import { Refusal } from '@trivium/emulation-core/ports'
import { isAtLeast, type QemuVersion, sandboxParameters } from './qemu-version.ts'

/** A machine with resolved programs and checked paths. */
export interface MachineCommand {
  readonly name: string
  readonly memoryMegabytes: number
  /** `undefined` leaves the accelerator to the options. */
  readonly accelerator: string | undefined
  readonly disks: readonly MachineDisk[]
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

export interface MachineDisk {
  readonly path: string
  readonly format: string
  /** Position on the disk bus of the machine: 0 is the first. */
  readonly index: number
}

interface MachineAdapter {
  readonly card: string
  readonly mac: string
  /** The port of 127.0.0.1 to which it sends frames. */
  readonly remotePort: number
  /** The address on which it receives frames, from every sender. */
  readonly localAddress: string
  readonly localPort: number
}

/** The first bus has 32 slots, of which the machine itself uses some. */
const FIRST_BUS_ADAPTERS = 24
const BRIDGE = 'nics'

const needsBridge = ({ adapters, legacyNetworking }: MachineCommand) =>
  adapters.length > FIRST_BUS_ADAPTERS && !legacyNetworking

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
    ...machine.disks.flatMap(({ path, format, index }) => [
      '-drive',
      `file=${escaped(path)},format=${format},index=${index},media=disk`,
    ]),
    ...boot(machine),
    '-chardev',
    `socket,id=console,fd=${machine.consoleSocket}`,
    '-serial',
    'chardev:console',
    '-chardev',
    `socket,id=control,fd=${machine.controlSocket}`,
    '-mon',
    'chardev=control,mode=control',
    '-monitor',
    'none',
    ...options,
    ...(needsBridge(machine) ? ['-device', `pci-bridge,id=${BRIDGE},chassis_nr=1`] : []),
    ...machine.adapters.flatMap((adapter, index) => networking(machine, adapter, index)),
    ...(machine.adapters.length === 0 ? ['-net', 'none'] : []),
    ...(names(options, 'nographic') ? [] : ['-nographic']),
  ]
}

/** Whether the words have the option, with one dash or two. */
const names = (words: readonly string[], option: string) =>
  words.some((word) => word.replace(/^--/, '-') === `-${option}`)

const defaults = ({ display, options }: MachineCommand) => [
  '-nodefaults',
  ...(display === undefined || names(options, 'vga') ? [] : ['-vga', display]),
]

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
    // A machine with a kernel never boots from the network: the boot ROM of the card only costs time.
    const rom = machine.kernelImage === '' ? '' : ',romfile='
    const place = index < FIRST_BUS_ADAPTERS ? '' : `,bus=${BRIDGE},addr=${index - FIRST_BUS_ADAPTERS + 1}`
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

/** Doubles each comma, as QEMU requires inside a value. */
const escaped = (value: string) => value.replaceAll(',', ',,')
