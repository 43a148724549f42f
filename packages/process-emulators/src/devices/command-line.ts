import type { CarrierPorts } from '@trivium/emulation-core/ports'
import type { DeviceFacts } from './device-kind.ts'

export interface CarrierCommand {
  /** The device that is opened: of a bridge, the new TAP device that becomes its port. */
  readonly device: string
  readonly facts: DeviceFacts
  readonly address: string
  readonly ports: CarrierPorts
}

/** Linux's numbers for a socket that takes every frame of its interface. */
const [SOL_PACKET, ADD_MEMBERSHIP, PROMISCUOUS] = [263, 1, 1]

/** The parameters of socat. The device comes first, so that the socket is open only once the device is. */
export function carrierParameters(command: CarrierCommand): readonly string[] {
  const { address, ports } = command
  return [
    // The largest frame. One datagram is one frame.
    '-b',
    '65535',
    deviceAddress(command),
    `UDP4-DATAGRAM:127.0.0.1:${ports.relayPort},bind=${address}:${ports.devicePort},range=127.0.0.1/32`,
  ]
}

function deviceAddress({ device, facts }: CarrierCommand): string {
  if (facts.kind === 'interface')
    return `INTERFACE:${device},setsockopt-bin=${SOL_PACKET}:${ADD_MEMBERSHIP}:x${membership(facts.index)}`
  const tap = `TUN,tun-name=${device},tun-type=tap,iff-no-pi`
  return facts.kind === 'tap' && !facts.isUp ? `${tap},iff-up` : tap
}

/** A `packet_mreq` in hexadecimal digits. It ends with the socket, unlike a flag of the interface. */
function membership(index: number): string {
  const bytes = Buffer.alloc(16)
  const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  if (isLittle) {
    bytes.writeInt32LE(index, 0)
    bytes.writeUInt16LE(PROMISCUOUS, 4)
  } else {
    bytes.writeInt32BE(index, 0)
    bytes.writeUInt16BE(PROMISCUOUS, 4)
  }
  return bytes.toString('hex')
}
