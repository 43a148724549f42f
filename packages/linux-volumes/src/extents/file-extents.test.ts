import { describe, expect, it } from 'vitest'
import { extentReader } from './file-extents.ts'

function parseExtents(output: string) {
  const { read, end } = extentReader()
  for (const line of output.split('\n')) if (line !== '') read(line)
  return end()
}

describe('extentReader', () => {
  it('reads offsets, lengths and which extents are shared', () => {
    const output = `Filesystem type is: 58465342
File size of x/b is 13631488 (3328 blocks of 4096 bytes)
 ext:     logical_offset:        physical_offset: length:   expected: flags:
   0:        0..    2559:       3328..      5887:   2560:             shared
   1:     2560..    3327:      90000..     90767:    768:       5888:
   2:     4000..    4000:      95000..     95000:      1:      90768: last,shared,eof
x/b: 3 extents found
`
    expect(parseExtents(output)).toEqual([
      { offset: 0, length: 2560 * 4096, shared: true },
      { offset: 2560 * 4096, length: 768 * 4096, shared: false },
      { offset: 4000 * 4096, length: 4096, shared: true },
    ])
  })

  it('returns no extents for an empty file', () => {
    expect(
      parseExtents('Filesystem type is: 9123683e\nFile size of e is 0 (0 blocks of 4096 bytes)\ne: 0 extents found\n'),
    ).toEqual([])
  })

  it.each([
    '',
    'open: No such file or directory\n',
    ' ext:     logical_offset:        physical_offset: length:   expected: flags:\n 0: 1\n',
    // Truncated before the last line.
    ' ext:     logical_offset:        physical_offset: length:   expected: flags:\n   0:        0..    2559:       3328..      5887:   2560:             shared\n',
    ' ext:     logical_offset:        physical_offset: length:   expected: flags:\n   0:        0..    2559:       3328..      5887:   9007199254740991:             shared\nf: 1 extent found\n',
  ])('refuses %j', (output) => {
    expect(() => parseExtents(output)).toThrow('not understood')
  })
})
