import { describe, expect, it } from 'vitest'
import { printing } from '../../tests/printing.ts'
import { showQgroups } from './qgroups.ts'

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

const parse = (output: string) => showQgroups(printing(output), '/v')

describe('showQgroups', () => {
  it('reads usage and limits of subvolumes', async () => {
    const { groups, doubtful } = await parse(newer)
    expect([...groups.values()]).toEqual([
      { subvolumeId: 5, referencedBytes: 16384, exclusiveBytes: 16384, maxReferencedBytes: undefined },
      { subvolumeId: 256, referencedBytes: 8404992, exclusiveBytes: 8404992, maxReferencedBytes: 10485760 },
    ])
    expect([...doubtful]).toEqual([])
  })

  it('reads limits that a number would round', async () => {
    const { groups } = await parse(newer.replace('10485760', '9223372036854775807'))
    expect(groups.get(256)?.maxReferencedBytes).toBe(9223372036854775807n)
  })

  it('reads the older heading', async () => {
    expect((await parse(older)).groups.size).toBe(1)
  })

  it.each([
    '10.00MiB',
    '-1',
    '9223372036854775808',
    // The kernel's counter after it went below zero.
    '18446744073709535232',
  ])('reports a group with the figure %s as ambiguous', async (figure) => {
    const { groups, doubtful } = await parse(newer.replace('10485760', figure))
    expect([[...groups.keys()], [...doubtful]]).toEqual([[5], [256]])
  })

  it.each([
    '0/256 1 1 none none',
    '0/256 x',
  ])('reports a group as ambiguous when the path of another contains the row %j', async (row) => {
    for (const output of [`${newer}${row}\n`, newer.replace('<toplevel>', `x\n${row}`)]) {
      expect([...(await parse(output)).doubtful]).toEqual([256])
    }
  })

  it('skips lines of paths that are not rows', async () => {
    expect(await parse(`${newer}b\n\n-- --\n`)).toEqual(await parse(newer))
  })

  it.each(['', "ERROR: can't list qgroups: quotas not enabled\n", newer.slice(10)])('refuses %j', async (output) => {
    await expect(parse(output)).rejects.toThrow('not understood')
  })
})
