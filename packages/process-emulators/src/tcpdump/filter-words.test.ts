import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findName } from './filter-words.ts'

it.each([
  'tcp port 80 or udp portrange 50-60',
  'host 10.0.0.1 and not net 10.0.0.0/8 and net 10.1',
  'ip6 host 2001:db8::1 or ip6 net 2001:db8::/32',
  'ether host 02:00:00:00:00:01',
  'vlan 10 and (tcp[tcpflags] & (tcp-syn|tcp-fin) != 0)',
  '(ip[2:2] - ((ip[0]&0xf)<<2)) > 30',
  'ip proto \\tcp',
  'ip[6:2]-1 = 0x1f',
])('finds no name in %s', (expression) => {
  expect(findName(expression)).toBeUndefined()
})

it.each([
  ['host example.com', 'example.com'],
  ['host localhost', 'localhost'],
  ['net loopback-net', 'loopback-net'],
  ['port http', 'http'],
  ['host dead:beef', 'dead:beef'],
  ['host 1.2.3.4.5', '1.2.3.4.5'],
  ['host 1-2', '1-2'],
  ['len-1 > 2', 'len-1'],
  ['host \\tcp', '\\tcp'],
  ['ether host printer', 'printer'],
  ['-w', '-w'],
  ['host "a"', '"a"'],
  ['host 10.0.0.1é', 'é'],
])('finds the name in %s', (expression, name) => {
  expect(findName(expression)).toBe(name)
})

it('finds any word of letters, digits, dots and hyphens after `host`, unless it is an address or of the syntax', () => {
  const word = fc.stringMatching(/^[g-z][a-z0-9.-]{0,10}$/)
  const syntax =
    /^(host|ip|ip6|icmp6?|igmp|igrp|isis|iso|lat|len|less|link|llc|mask|moprc|mopdl|mpls|multicast|net|netbeui|not|or|pim|port|portrange|pppoe[ds]|proto|protochain|rarp|sctp|src|stp|tcp|tr|udp|vlan|vrrp|wlan|greater|gateway|geneve|ipx|tcp-.*|tcpflags|icmp.*)$/
  fc.assert(
    fc.property(word, (name) => {
      fc.pre(!syntax.test(name))
      expect(findName(`host ${name}`)).toBeDefined()
    }),
  )
})
