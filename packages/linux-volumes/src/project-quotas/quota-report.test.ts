import { describe, expect, it } from 'vitest'
import { parseQuotaReport } from './quota-report.ts'

const header =
  'User,BlockStatus,FileStatus,BlockUsed,BlockSoftLimit,BlockHardLimit,BlockGrace,FileUsed,FileSoftLimit,FileHardLimit,FileGrace'
const line = '#1000,ok,ok,20480,0,30720,,3,0,0,'
const softLine = '#1001,ok,ok,0,0,0,,0,9,9,'

describe('parseQuotaReport', () => {
  it('reads usage in bytes, and which owners are limited', () => {
    expect(parseQuotaReport(`*** Report\n${header}\n#0,ok,ok,8,0,0,,4,0,0,\n${line}\n${softLine}\n`)).toEqual([
      { id: '0', space: 8192, files: 4, blocksHard: 0, filesHard: 0, limited: false, soft: false },
      { id: '1000', space: 20480 * 1024, files: 3, blocksHard: 30720, filesHard: 0, limited: true, soft: false },
      { id: '1001', space: 0, files: 0, blocksHard: 0, filesHard: 9, limited: true, soft: true },
    ])
    expect(parseQuotaReport(`${header}\n`)).toEqual([])
  })

  it('reads limits that a number would round', () => {
    const large = '#7,ok,ok,0,0,9007199254740992,,0,0,9223372036854775807,'
    expect(parseQuotaReport(`${header}\n${large}\n`)).toMatchObject([
      { blocksHard: 9007199254740992n, filesHard: 9223372036854775807n, limited: true },
    ])
  })

  it.each([
    '',
    'repquota: no quota\n',
    `${header}\n${line.replace('#1000', 'alice')}\n`,
    `${header}\n${line.replace('20480', '-20480')}\n`,
    `${header}\n${line.replace('20480', '2e4')}\n`,
    `${header}\n${line.replace('20480', '0x50')}\n`,
    `${header}\n${line.replace('20480', '9007199254740991')}\n`,
    `${header}\n${line.replace('20480', '18446744073709551615')}\n`,
    `${header}\n${line.replace('30720', 'none')}\n`,
    `${header}\n${line.replace('30720', '9223372036854775808')}\n`,
    `${header}\n#1000,ok,ok\n`,
    `${header.replace('FileUsed', 'FilesUsed')}\n${line}\n`,
  ])('refuses %j', (output) => {
    expect(() => parseQuotaReport(output)).toThrow('not understood')
  })
})
