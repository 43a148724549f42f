import { expect, it } from 'vitest'
import { tcpdumpFilters } from '../src/tcpdump/index.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'

describeWith(['tcpdump'], 'tcpdumpFilters', () => {
  const filters = tcpdumpFilters()

  it('returns a program of classic BPF', async () => {
    const program = await filters.compile('arp', 'DLT_EN10MB')
    expect(program).toEqual([
      { code: 40, jt: 0, jf: 0, k: 12 },
      { code: 21, jt: 0, jf: 1, k: 0x0806 },
      { code: 6, jt: 0, jf: 0, k: 262_144 },
      { code: 6, jt: 0, jf: 0, k: 0 },
    ])
    expect((await filters.compile('len > 60', 'DLT_C_HDLC')).length).toBeGreaterThan(0)
  })

  it.each([
    ['tcp port', "The filter cannot be used: can't parse filter expression: syntax error."],
    [
      'host lab.example',
      "The filter cannot be used: 'lab.example' is neither a word of pcap-filter, a number nor an address.",
    ],
    ['-w', "The filter cannot be used: '-w' is neither a word of pcap-filter, a number nor an address."],
  ])('refuses an expression that is wrong or names a host: %s', async (expression, message) => {
    await expect(filters.compile(expression, 'DLT_EN10MB')).rejects.toMatchObject({ reason: 'not-allowed', message })
  })
})

it('a filter without tcpdump is refused with the name of its package', async () => {
  const filters = tcpdumpFilters({ programDirectories: [await scratchDirectory()] })
  await expect(filters.compile('arp', 'DLT_EN10MB')).rejects.toMatchObject({
    reason: 'missing-program',
    debianPackage: 'tcpdump',
  })
})
