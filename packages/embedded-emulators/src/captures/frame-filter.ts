import { type FilterProgram, Refusal } from '@trivium/emulation-core/ports'
import { byteAt, readUint16, readUint32 } from '../frames/bytes.ts'

/** The most instructions of a program, as in the kernels that run them. */
const MAX_INSTRUCTIONS = 4096
const SCRATCH_WORDS = 16

/** Instructions by their code: class, size or operation, and mode or source. */
const codes = {
  loadWord: 0x20,
  loadHalf: 0x28,
  loadByte: 0x30,
  loadWordAtX: 0x40,
  loadHalfAtX: 0x48,
  loadByteAtX: 0x50,
  loadConstant: 0x00,
  loadScratch: 0x60,
  loadLength: 0x80,
  loadXConstant: 0x01,
  loadXScratch: 0x61,
  loadXLength: 0x81,
  loadXHeaderLength: 0xb1,
  store: 0x02,
  storeX: 0x03,
  jump: 0x05,
  jumpEqual: 0x15,
  jumpGreater: 0x25,
  jumpNotLess: 0x35,
  jumpSet: 0x45,
  returnConstant: 0x06,
  returnA: 0x16,
  copyToX: 0x07,
  copyToA: 0x87,
  negate: 0x84,
} as const

/** The second source of arithmetic and comparisons. */
const FROM_X = 0x08

const arithmetic: ReadonlyMap<number, (a: number, operand: number) => number | undefined> = new Map([
  [0x04, (a, operand) => a + operand],
  [0x14, (a, operand) => a - operand],
  [0x24, (a, operand) => Math.imul(a, operand)],
  [0x34, (a, operand) => (operand === 0 ? undefined : Math.floor(a / operand))],
  [0x44, (a, operand) => a | operand],
  [0x54, (a, operand) => a & operand],
  [0x64, (a, operand) => (operand > 31 ? 0 : a << operand)],
  [0x74, (a, operand) => (operand > 31 ? 0 : a >>> operand)],
  [0x94, (a, operand) => (operand === 0 ? undefined : a % operand)],
  [0xa4, (a, operand) => a ^ operand],
])

const comparisons: ReadonlySet<number> = new Set([codes.jumpEqual, codes.jumpGreater, codes.jumpNotLess, codes.jumpSet])
const scratch: ReadonlySet<number> = new Set([codes.loadScratch, codes.loadXScratch, codes.store, codes.storeX])
const frameLoads: ReadonlySet<number> = new Set([
  codes.loadWord,
  codes.loadHalf,
  codes.loadByte,
  codes.loadXHeaderLength,
])
const known: ReadonlySet<number> = new Set(Object.values(codes))

const withoutX = (code: number): number => code & ~FROM_X

/** The offset of a load that the kernel answers from outside the frame is beyond this. */
const MAX_OFFSET = 0x7fff_ffff

function requireSound(program: FilterProgram): void {
  const isSound =
    program.length > 0 &&
    program.length <= MAX_INSTRUCTIONS &&
    program.every(({ code, jt, jf, k }, at) => {
      const left = program.length - at - 1
      if (scratch.has(code)) return k < SCRATCH_WORDS
      if (frameLoads.has(code)) return k <= MAX_OFFSET
      if (code === codes.jump) return k < left
      if (comparisons.has(withoutX(code)) && (code & 7) === 5) return jt < left && jf < left
      return known.has(code) || ((code & 7) === 4 && arithmetic.has(withoutX(code)))
    }) &&
    (program.at(-1)?.code === codes.returnConstant || program.at(-1)?.code === codes.returnA)
  if (!isSound) throw new Refusal('unsupported', 'The filter cannot be used: it needs more than the bytes of a frame.')
}

/**
 * Returns a function that runs a program of classic BPF for each frame. Jumps only lead forwards, so a frame takes at
 * most as many steps as the program has instructions.
 *
 * @throws Refusal for a program that reads anything but the frame, or that might not end
 */
export function createFrameFilter(program: FilterProgram): (frame: Uint8Array) => boolean {
  requireSound(program)
  const memory = new Uint32Array(SCRATCH_WORDS)

  return (frame) => {
    let a = 0
    let x = 0
    memory.fill(0)
    for (let at = 0; at < program.length; at += 1) {
      const instruction = program[at]
      if (instruction === undefined) return false
      const { code, k } = instruction
      switch (code) {
        case codes.returnConstant:
          return k !== 0
        case codes.returnA:
          return a !== 0
        case codes.loadWord:
          if (k + 4 > frame.length) return false
          a = readUint32(frame, k)
          break
        case codes.loadHalf:
          if (k + 2 > frame.length) return false
          a = readUint16(frame, k)
          break
        case codes.loadByte:
          if (k >= frame.length) return false
          a = byteAt(frame, k)
          break
        case codes.loadWordAtX:
          if (x + k + 4 > frame.length) return false
          a = readUint32(frame, x + k)
          break
        case codes.loadHalfAtX:
          if (x + k + 2 > frame.length) return false
          a = readUint16(frame, x + k)
          break
        case codes.loadByteAtX:
          if (x + k >= frame.length) return false
          a = byteAt(frame, x + k)
          break
        case codes.loadConstant:
          a = k
          break
        case codes.loadScratch:
          a = memory[k] ?? 0
          break
        case codes.loadLength:
          a = frame.length
          break
        case codes.loadXConstant:
          x = k
          break
        case codes.loadXScratch:
          x = memory[k] ?? 0
          break
        case codes.loadXLength:
          x = frame.length
          break
        case codes.loadXHeaderLength:
          if (k >= frame.length) return false
          x = (byteAt(frame, k) & 0xf) * 4
          break
        case codes.store:
          memory[k] = a
          break
        case codes.storeX:
          memory[k] = x
          break
        case codes.copyToX:
          x = a
          break
        case codes.copyToA:
          a = x
          break
        case codes.negate:
          a = -a >>> 0
          break
        case codes.jump:
          at += k
          break
        default: {
          const operand = (code & FROM_X) === 0 ? k : x
          if ((code & 7) === 5) at += compare(withoutX(code), a, operand) ? instruction.jt : instruction.jf
          else {
            const result = arithmetic.get(withoutX(code))?.(a, operand)
            if (result === undefined) return false
            a = result >>> 0
          }
        }
      }
    }
    return false
  }
}

function compare(code: number, a: number, operand: number): boolean {
  switch (code) {
    case codes.jumpEqual:
      return a === operand
    case codes.jumpGreater:
      return a > operand
    case codes.jumpNotLess:
      return a >= operand
    default:
      return (a & operand) !== 0
  }
}

/** Passes on the frames that the program accepts; every frame without one. */
export function filtered(
  program: FilterProgram | undefined,
  watch: (frame: Uint8Array) => void,
): (frame: Uint8Array) => void {
  if (program === undefined) return watch
  const accepts = createFrameFilter(program)
  return (frame) => {
    if (accepts(frame)) watch(frame)
  }
}
