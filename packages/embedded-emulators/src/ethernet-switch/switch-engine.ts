import { DEFAULT_MAC_AGEING_SECONDS, type StormControl, type StormDrops } from '@trivium/emulation-core/ports'
import { type Clock, systemClock } from '../clock/clock.ts'
import { readMac } from '../frames/bytes.ts'
import { ETHERNET_HEADER_LENGTH } from '../frames/ethernet.ts'
import { isTagged, popTag, pushTag, TAG_LENGTH, vlanOf } from '../frames/vlan-tag.ts'
import { createMacAgeing } from './mac-ageing.ts'
import { createMacTable, type MacTable } from './mac-table.ts'
import { createSlottedMacTable } from './slotted-mac-table.ts'
import { createStormMeter, type StormMeter } from './storm-meter.ts'
import type { PortMode, SwitchEnginePort } from './switch-port.ts'
import { type Arrival, tagChange } from './tag-change.ts'

/** Selects where a switch follows dynamips instead of the standards. */
export interface SwitchEngineOptions {
  /**
   * Between qinq ports of one outer VLAN, dynamips removes the customer's tag, a fault since 2013.
   * `correct` forwards the frame unchanged.
   *
   * @default 'correct'
   */
  readonly qinqCompat?: 'correct' | 'dynamips'
  /**
   * In dynamips, addresses share 4,096 slots, never expire, and stay when the settings of their port change, so that
   * frames still enter a VLAN that the port has left. Group addresses are learned too. `correct` does none of these.
   *
   * @default 'correct'
   */
  readonly tableCompat?: 'correct' | 'dynamips'
  /**
   * Addresses that the MAC table holds at most. A further one replaces the oldest of its VLAN. Without effect for
   * `tableCompat: 'dynamips'`.
   *
   * @default 16384
   */
  readonly macTableLimit?: number
}

/** Forwards the frames of one switch or hub. Ports have numbers, and frames are passed by reference. */
export interface SwitchEngine {
  /** Adds a port. A port with the number must not exist. */
  addPort(number: number, mode: PortMode, send: (frame: Uint8Array) => void): void
  /** Changes the settings of a port. Removes its addresses unless its VLANs are the same. */
  setMode(number: number, mode: PortMode): void
  /** Sets the seconds after which a silent address is forgotten, and at most a tenth more. 0 keeps addresses. */
  setMacAgeing(seconds: number): void
  /** Counts what the storm control of a port has dropped. The addresses of those frames are learned. */
  stormDrops(number: number): StormDrops
  /** Removes the port with its addresses. */
  removePort(number: number): void
  /** Drops frames from unknown ports. Never keeps or changes the frame. */
  receive(number: number, frame: Uint8Array): void
  readonly macTable: MacTable<SwitchEnginePort>
  /** Ends its timers. */
  stop(): void
}

const BROADCAST = 0xffffffffffff

function copyWithTag(frame: Uint8Array, protocol: number, vlan: number): Uint8Array {
  const copy = Buffer.allocUnsafe(frame.length + TAG_LENGTH)
  pushTag(frame, protocol, vlan, copy)
  return copy
}

function copyWithoutTag(frame: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafe(frame.length - TAG_LENGTH)
  popTag(frame, copy)
  return copy
}

/** Forwards as dynamips' Ethernet switch does: no spanning tree, no list of allowed VLANs on trunks. */
export function createSwitchEngine(
  { qinqCompat = 'correct', tableCompat = 'correct', macTableLimit = 16_384 }: SwitchEngineOptions = {},
  clock: Clock = systemClock,
): SwitchEngine {
  type Port = SwitchEnginePort & {
    type: PortMode['type']
    vlan: number
    tagProtocol: number
    storm: StormMeter | undefined
  }
  const macTable = tableCompat === 'dynamips' ? createSlottedMacTable<Port>() : createMacTable<Port>(macTableLimit)
  const learnsGroups = tableCompat === 'dynamips'
  const ageing = createMacAgeing(macTable, clock)
  ageing.set(DEFAULT_MAC_AGEING_SECONDS)
  const byNumber = new Map<number, Port>()
  let ports: readonly Port[] = []

  const transmit = (incoming: Port, arrival: Arrival, out: Port, vlan: number, frame: Uint8Array) => {
    switch (tagChange(arrival, out, vlan)) {
      case 'keep':
        if (arrival === 'customer' && qinqCompat === 'dynamips') out.send(copyWithoutTag(frame))
        else out.send(frame)
        return
      case 'push':
        out.send(copyWithTag(frame, arrival === 'customer' ? incoming.tagProtocol : 0x8100, vlan))
        return
      case 'pop':
        out.send(copyWithoutTag(frame))
        return
      case 'drop':
    }
  }

  const flood = (incoming: Port, arrival: Arrival, vlan: number, frame: Uint8Array) => {
    for (const out of ports) {
      if (out === incoming || (out.type === 'access' && out.vlan !== vlan)) continue
      transmit(incoming, arrival, out, vlan, frame)
    }
  }

  const setStormControl = (port: Port, limits: StormControl = {}) => {
    if (Object.keys(limits).length > 0) port.storm ??= createStormMeter(clock)
    port.storm?.set(limits)
  }

  return {
    macTable,
    addPort(number, { type, vlan, tagProtocol = 0x8100, stormControl }, send) {
      const port: Port = { number, type, vlan, tagProtocol, send, storm: undefined }
      setStormControl(port, stormControl)
      byNumber.set(number, port)
      ports = [...byNumber.values()]
    },
    setMode(number, { type, vlan, tagProtocol = 0x8100, stormControl }) {
      const port = byNumber.get(number)
      if (port === undefined) return
      const same = port.type === type && port.vlan === vlan && port.tagProtocol === tagProtocol
      port.type = type
      port.vlan = vlan
      port.tagProtocol = tagProtocol
      setStormControl(port, stormControl)
      if (!same && tableCompat === 'correct') macTable.forget(port)
    },
    setMacAgeing: ageing.set,
    stormDrops: (number) => byNumber.get(number)?.storm?.drops ?? { broadcast: 0, multicast: 0, unknownUnicast: 0 },
    removePort(number) {
      const port = byNumber.get(number)
      if (port === undefined) return
      byNumber.delete(number)
      ports = [...byNumber.values()]
      macTable.forget(port)
    },
    receive(number, frame) {
      const incoming = byNumber.get(number)
      if (incoming === undefined || frame.length < ETHERNET_HEADER_LENGTH) return
      const carriesTag = incoming.type !== 'access' && isTagged(frame)
      if (carriesTag && frame.length < ETHERNET_HEADER_LENGTH + TAG_LENGTH) return
      if (incoming.type === 'qinq' && !carriesTag) return
      const vlan = incoming.type === 'dot1q' && carriesTag ? vlanOf(frame) : incoming.vlan
      if (vlan === 0) return
      const arrival: Arrival = carriesTag ? (incoming.type === 'qinq' ? 'customer' : 'tagged') : 'untagged'
      if (((frame[6] ?? 0) & 1) === 0 || learnsGroups) {
        macTable.learn(vlan, readMac(frame, 6), incoming)
        ageing.learned()
      }
      const { storm } = incoming
      if (((frame[0] ?? 0) & 1) === 1) {
        if (storm !== undefined && !storm.allows(readMac(frame, 0) === BROADCAST ? 'broadcast' : 'multicast')) return
        flood(incoming, arrival, vlan, frame)
        return
      }
      const known = macTable.find(vlan, readMac(frame, 0))
      if (known === undefined) {
        if (storm?.allows('unknownUnicast') !== false) flood(incoming, arrival, vlan, frame)
      } else if (known !== incoming) transmit(incoming, arrival, known, vlan, frame)
    },
    stop: ageing.stop,
  }
}
