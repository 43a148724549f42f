import { ETHERNET_HEADER_LENGTH } from '../frames/ethernet.ts'
import { createMacTable } from './mac-table.ts'
import type { SwitchEngine } from './switch-engine.ts'
import type { SwitchEnginePort } from './switch-port.ts'

/** Sends every frame unchanged to every other port. Modes are ignored, and no address is learned. */
export function createHubEngine(): SwitchEngine {
  const sends = new Map<number, SwitchEnginePort['send']>()
  return {
    macTable: createMacTable(0),
    addPort: (number, _mode, send) => void sends.set(number, send),
    setMode: () => {},
    setMacAgeing: () => {},
    stormDrops: () => ({ broadcast: 0, multicast: 0, unknownUnicast: 0 }),
    removePort: (number) => void sends.delete(number),
    receive(number, frame) {
      if (!sends.has(number) || frame.length < ETHERNET_HEADER_LENGTH) return
      for (const [other, send] of sends) if (other !== number) send(frame)
    },
    stop: () => {},
  }
}
