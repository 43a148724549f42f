import { createVirtualPc, type VirtualPc } from '../src/virtual-pc/virtual-pc.ts'
import { seededRandom } from './seeded-random.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts'

/** A shared cable. It delivers each frame to all other receivers in a microtask. */
export interface Wire {
  /** All frames that were sent, in order. */
  readonly frames: readonly Uint8Array[]
  attach(receive: (frame: Uint8Array) => void): (frame: Uint8Array) => void
}

export const createWire = (): Wire => {
  const receivers: ((frame: Uint8Array) => void)[] = []
  const frames: Uint8Array[] = []
  return {
    frames,
    attach(receive) {
      receivers.push(receive)
      return (frame) => {
        frames.push(frame)
        queueMicrotask(() => {
          for (const other of receivers) if (other !== receive) other(frame)
        })
      }
    },
  }
}

export interface LabPc {
  readonly pc: VirtualPc
  /** What the terminal shows, without carriage returns. */
  readonly screen: string
  readonly files: Map<string, string>
  readonly ended: boolean
  /** Sends keys unchanged. */
  type(text: string): void
  /** Types a line and advances the clock. Resolves with the output after the line. */
  run(line: string, milliseconds?: number): Promise<string>
}

export interface PcLab {
  readonly clock: VirtualClock
  readonly wire: Wire
  /** Starts a machine, and advances the clock until its link-local address is in use. */
  pc(name: string, options?: { readonly script?: string; readonly mac?: number }): Promise<LabPc>
}

export const createPcLab = (): PcLab => {
  const clock = createVirtualClock()
  const wire = createWire()
  let next = 0
  return {
    clock,
    wire,
    async pc(name, { script, mac = 0x005079666800 + next } = {}) {
      next += 1
      const files = new Map<string, string>(script === undefined ? [] : [['startup.vpc', script]])
      let screen = ''
      let ended = false
      const pc = createVirtualPc({
        name,
        mac,
        files: {
          read: async (file) => files.get(file),
          write: async (file, content) => void files.set(file, content),
        },
        clock,
        random: seededRandom(next),
        send: (frame) => send(frame),
        ended: () => {
          ended = true
        },
      })
      const send = wire.attach(pc.receive)
      pc.console.onOutput((bytes) => {
        screen += Buffer.from(bytes).toString().replaceAll('\r', '')
      })
      await pc.start()
      await clock.pass(2000)
      const type = (text: string) => pc.console.write(Buffer.from(text))
      return {
        pc,
        files,
        get screen() {
          return screen
        },
        get ended() {
          return ended
        },
        type,
        async run(line, milliseconds = 0) {
          const before = screen.length
          type(`${line}\r`)
          await clock.pass(milliseconds)
          return screen.slice(before + line.length + 1)
        },
      }
    },
  }
}
