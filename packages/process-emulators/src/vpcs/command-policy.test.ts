import { describe, expect, it } from 'vitest'
import { isHarmlessCommand, requireHarmlessScript } from './command-policy.ts'

describe('the policy for commands of a virtual PC', () => {
  it.each([
    '',
    '?',
    '1',
    'arp',
    'dhcp -r',
    'disconnect',
    'echo a; ! id',
    'ip 10.0.0.1/24 10.0.0.254',
    'ip ?',
    'ping 10.0.0.1 -c 3',
    'quit',
    'save',
    'set ?',
    'set echo on',
    'set dump all',
    'set pcname PC1',
    'set p PC1',
    'sh ip',
    'trace 10.0.0.1',
  ])('allows the command %j', (line) => {
    expect(isHarmlessCommand(line)).toBe(true)
  })

  it.each([
    '! id',
    '!id',
    ' ! id',
    '\t! id',
    'load',
    'load saved',
    'lo startup.vpc',
    'rlogin 127.0.0.1 22',
    'rlo 2000',
    'r 2000',
    'relay add 1.2.3.4:5 6',
    'rel port 7',
    'set rhost 1.2.3.4',
    'set\trho 1.2.3.4',
    'set rport 1',
    'set lp 1',
    'se r 1',
    'unheard-of',
    'echo a\r! id',
    'echo a\n! id',
    'echo \u001b[A',
    `echo ${'a'.repeat(130)}! id`,
  ])('refuses the command %j', (line) => {
    expect(isHarmlessCommand(line)).toBe(false)
  })

  it('names the line of a script that is not allowed', () => {
    expect(() => requireHarmlessScript('# for the lab\n; and so on\nset pcname PC1\r\nip 10.0.0.1/24\n')).not.toThrow()
    expect(() => requireHarmlessScript('ip 10.0.0.1/24\r\n! id\r\n')).toThrow('line 2 of the startup script: ! id')
    expect(() => requireHarmlessScript('echo a\r! id')).toThrow('line 2')
    expect(() => requireHarmlessScript(`#${'a'.repeat(126)}! id`)).toThrow('line 1')
    expect(() => requireHarmlessScript('\n'.repeat(20_000))).toThrow('more than 10,000 lines')
  })
})
