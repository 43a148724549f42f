import type { LabReach } from '../reach/lab-reach.ts'
import { natNetwork } from './nat-network.ts'

const { ipv4, ipv6, firstLease } = natNetwork

/** The parameters of a QEMU without a machine, which joins its user-mode network and a socket in a hub. */
export const natParameters = ({ families }: LabReach): readonly string[] => [
  '-machine',
  'none',
  '-nodefaults',
  '-no-user-config',
  '-display',
  'none',
  '-monitor',
  'none',
  '-sandbox',
  'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
  '-netdev',
  [
    // Without it, `ipv6=on` would leave IPv4 out.
    'user,id=outside,ipv4=on',
    `net=${ipv4.network}/${ipv4.prefix}`,
    `host=${ipv4.gateway}`,
    `dns=${ipv4.resolver}`,
    `dhcpstart=${firstLease}`,
    families.ipv6
      ? `ipv6=on,ipv6-prefix=${ipv6.network},ipv6-prefixlen=${ipv6.prefix},ipv6-host=${ipv6.gateway},ipv6-dns=${ipv6.resolver}`
      : 'ipv6=off',
  ].join(),
  '-netdev',
  'socket,id=lab,fd=3',
  '-netdev',
  'hubport,id=first,hubid=0,netdev=outside',
  '-netdev',
  'hubport,id=second,hubid=0,netdev=lab',
]
