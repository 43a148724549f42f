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
    expect(parseQgroups(newer)).toEqual([
      { subvolumeId: 5, referencedBytes: 16384, exclusiveBytes: 16384, maxReferencedBytes: undefined },
      { subvolumeId: 256, referencedBytes: 8404992, exclusiveBytes: 8404992, maxReferencedBytes: 10485760 },
    ])
  })

  it('reads the older heading', () => {
    expect(parseQgroups(older)).toHaveLength(1)
  })

  it.each([
    '',
    "ERROR: can't list qgroups: quotas not enabled\n",
    newer.replace('10485760', '10.00MiB'),
    // What the kernel's counter shows after it went below nothing.
    newer.replace('8404992', '18446744073709535232'),
    newer.replace('10485760', '-1'),
    newer.slice(0, -30),
  ])('guesses nothing from %j', (output) => {
    expect(() => parseQgroups(output)).toThrow('not understood')
  })
})
