import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { labReach } from '../src/reach/lab-reach.ts'
import { describeWith } from './require-programs.ts'

const ip = async (...parameters: readonly string[]) => void (await promisify(execFile)('ip', parameters))

describeWith(['ip'], 'the addresses of this machine', () => {
  it('contain the networks of local routes', async () => {
    const [network, network6] = ['198.51.100.64/26', '2a0e:ffff:77::/64']
    onTestFinished(async () => {
      await ip('route', 'del', 'local', network, 'dev', 'lo')
      await ip('-6', 'route', 'del', 'local', network6, 'dev', 'lo')
    })
    await ip('route', 'add', 'local', network, 'dev', 'lo')
    await ip('-6', 'route', 'add', 'local', network6, 'dev', 'lo')
    const reach = labReach(['198.51.100.0/24', '2a0e:ffff::/32', 'internet'])
    await reach.refresh()
    expect(reach.allows('198.51.100.70', 'ipv4')).toBe(false)
    expect(reach.allows('198.51.100.1', 'ipv4')).toBe(true)
    expect(reach.allows('2a0e:ffff:77::5', 'ipv6')).toBe(false)
    expect(reach.allows('2a0e:ffff:78::5', 'ipv6')).toBe(true)
  })
})
