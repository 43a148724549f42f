import { expect, it } from 'vitest'
import { virtualPcParameters } from './command-line.ts'
import { compareVersions, parseVpcsVersion } from './vpcs-version.ts'

it('reads the version in the greeting of VPCS', () => {
  expect(parseVpcsVersion('\r\nWelcome to Virtual PC Simulator, version 0.5b2\r\nDedicated')).toBe('0.5b2')
  expect(parseVpcsVersion('vpcs: not found')).toBeUndefined()
})

it('orders versions', () => {
  const ordered = ['0.4a3', '0.5b0', '0.5b1', '0.5b2', '0.5', '0.6', '0.8.3', '0.10', '1.0b1', '1.0']
  for (const [at, version] of ordered.entries()) {
    for (const [other, second] of ordered.entries()) {
      expect(Math.sign(compareVersions(version, second)), `${version} ${second}`).toBe(Math.sign(at - other))
    }
  }
})

it('virtualPcParameters builds the recorded command line', () => {
  const pc = { localPort: 10_001, remotePort: 10_000, macByte: 3, startupScript: 'startup.vpc' }
  expect(virtualPcParameters(pc).join(' ')).toBe('-s 10001 -c 10000 -t 127.0.0.1 -m 3 -i 1 startup.vpc')
  expect(virtualPcParameters({ ...pc, startupScript: undefined }).at(-1)).toBe('1')
})
