import { describe, expect, it } from 'vitest'
import { parseSubvolumes, withNested } from './subvolumes.ts'

const output = `ID 256 gen 9 top level 5 path qt1
ID 257 gen 9 top level 256 path qt1/own sub
ID 258 gen 9 top level 257 path qt1/own sub/deep
ID 259 gen 9 top level 5 path qt2
`

describe('subvolumes', () => {
  it('are read with their parents, and ordered from the inside', () => {
    expect(withNested(256, parseSubvolumes(output))).toEqual([258, 257, 256])
    expect(withNested(259, parseSubvolumes(output))).toEqual([259])
    expect(parseSubvolumes('')).toEqual([])
  })

  it.each([
    'ID x gen 1 top level 5 path a\n',
    'ERROR: not a btrfs filesystem\n',
    'ID 99999999999999999999 gen 1 top level 5 path a\n',
  ])('are not guessed from %j', (lines) => {
    expect(() => parseSubvolumes(lines)).toThrow('not understood')
  })
})
