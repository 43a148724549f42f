import { describe, expect, it } from 'vitest'
import { subvolumeClaims } from './subvolumes.ts'

function claimedInside(id: number, printed: string) {
  const { read, inside } = subvolumeClaims()
  for (const line of printed.split('\n')) read(line)
  return inside(id)
}

const output = `ID 256 gen 9 top level 5 path qt1
ID 257 gen 9 top level 256 path qt1/own sub
ID 258 gen 9 top level 257 path qt1/own sub/deep
ID 259 gen 9 top level 5 path qt2
`

describe('subvolumeClaims', () => {
  it('reads subvolumes at every depth', () => {
    expect(claimedInside(256, output)).toEqual([257, 258])
    expect(claimedInside(259, output)).toEqual([])
    expect(claimedInside(259, '')).toEqual([])
  })

  it('reads 200,000 subvolumes of one directory in order', () => {
    const ids = Array.from({ length: 200_000 }, (_, index) => 300 + index)
    const many = ids.map((id) => `ID ${id} gen 9 top level 256 path qt1/${id}\n`).join('')
    expect(claimedInside(256, many)).toEqual(ids)
  })

  it('ends where forged lines form a circle', () => {
    const circle = `${output}ID 256 gen 9 top level 258 path x\nID 257 gen 9 top level 257 path x\n`
    expect(claimedInside(256, circle)).toEqual([257, 258])
  })

  it('skips lines of names that are not rows', () => {
    expect(claimedInside(256, `${output}\nanything\nID x gen 1 top level 256 path y\n`)).toEqual([257, 258])
  })
})
