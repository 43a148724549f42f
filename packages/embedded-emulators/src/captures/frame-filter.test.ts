import { isRefusal } from '@trivium/emulation-core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameFilter } from './frame-filter.ts'

const accept = { code: 0x06, jt: 0, jf: 0, k: 1 }
const plain = (code: number, k = 0) => ({ code, jt: 0, jf: 0, k })

describe('createFrameFilter', () => {
  it.each([
    ['is empty', []],
    ['does not return', [plain(0x00)]],
    ['jumps after its end', [plain(0x05, 1), accept]],
    ['branches after its end', [{ code: 0x15, jt: 1, jf: 0, k: 0 }, accept]],
    ['uses a 17th scratch word', [plain(0x60, 16), accept]],
    ['reads what is not in the frame', [plain(0x28, 0xfffff004), accept]],
    ['has an unknown instruction', [plain(0xff), accept]],
    ['has too many instructions', Array.from({ length: 4097 }, () => accept)],
  ])('refuses a program that %s', (_what, program) => {
    let thrown: unknown
    try {
      createFrameFilter(program)
    } catch (error) {
      thrown = error
    }
    expect(isRefusal(thrown)).toBe(true)
  })

  it('rejects a frame that ends before a load, and a division by 0', () => {
    expect(createFrameFilter([plain(0x20, 11), accept])(new Uint8Array(14))).toBe(false)
    expect(createFrameFilter([plain(0x20, 10), accept])(new Uint8Array(14))).toBe(true)
    expect(createFrameFilter([plain(0x3c), accept])(new Uint8Array(14))).toBe(false)
  })

  it('refuses or ends any program, for any frame, and leaves the frame unchanged', () => {
    const instruction = fc.record({
      code: fc.oneof(fc.nat(255), fc.constantFrom(0x06, 0x15, 0x05, 0x28, 0x48, 0xb1, 0x07, 0x02, 0x60, 0x3c)),
      jt: fc.nat(6),
      jf: fc.nat(6),
      k: fc.oneof(fc.nat(20), fc.nat(0xffffffff)),
    })
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 12 }), fc.uint8Array({ maxLength: 40 }), (program, frame) => {
        const before = Uint8Array.from(frame)
        try {
          createFrameFilter([...program, accept])(frame)
        } catch (error) {
          expect(isRefusal(error)).toBe(true)
        }
        expect(frame).toEqual(before)
      }),
      { numRuns: 2000 },
    )
  })
})
