import { describe, expect, it } from 'vitest'
import { parseQgroups } from './qgroups.ts'

const newer = `Qgroupid    Referenced    Exclusive  Max referenced  Max exclusive   Path
--------    ----------    ---------  --------------  -------------   ----
0/5              16384        16384            none           none   <toplevel>
0/256          8404992      8404992        10485760           none   qt 1
1/100          8404992      8404992            none           none   <0 member qgroups>
`
const older = `qgroupid         rfer         excl     max_rfer     max_excl
--------         ----         ----     --------     --------
0/257           16384        16384         none         none
`

describe('parseQgroups', () => {
  it('reads use and limits of subvolumes', () => {
    const { groups, doubtful } = parseQgroups(newer)
    expect([...groups.values()]).toEqual([
      { subvolumeId: 5, referencedBytes: 16384, exclusiveBytes: 16384, maxReferencedBytes: undefined },
      { subvolumeId: 256, referencedBytes: 8404992, exclusiveBytes: 8404992, maxReferencedBytes: 10485760 },
    ])
    expect([...doubtful]).toEqual([])
  })

  it('reads the older heading', () => {
    expect(parseQgroups(older).groups.size).toBe(1)
  })

  it.each([
    '10.00MiB',
    '-1',
    // What the kernel's counter shows after it went below nothing.
    '18446744073709535232',
  ])('doubts a group with %s', (figure) => {
    const { groups, doubtful } = parseQgroups(newer.replace('10485760', figure))
    expect([[...groups.keys()], [...doubtful]]).toEqual([[5], [256]])
  })

  it.each(['0/256 1 1 none none', '0/256 x'])('doubts a group that the path of another repeats as %j', (row) => {
    for (const output of [`${newer}${row}\n`, newer.replace('<toplevel>', `x\n${row}`)]) {
      expect([...parseQgroups(output).doubtful]).toEqual([256])
    }
  })

  it('passes over what paths write beside rows', () => {
    expect(parseQgroups(`${newer}b\n\n-- --\n`)).toEqual(parseQgroups(newer))
  })

  it.each([
    '',
    "ERROR: can't list qgroups: quotas not enabled\n",
    newer.slice(10),
  ])('guesses nothing from %j', (output) => {
    expect(() => parseQgroups(output)).toThrow('not understood')
  })
})
