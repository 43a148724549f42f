import { addressSet, networks } from './address-set.ts'

/**
 * The networks of IANA's registries of special-purpose addresses that are not globally reachable, and those whose
 * addresses contain an IPv4 address. `internet` leaves them out.
 */
export const specialNetworks = addressSet(
  networks([
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    // Azure answers its machines there.
    '168.63.129.16/32',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '3fff::/20',
  ]),
)

/** All unicast addresses that are allocated. */
export const allocatedNetworks = addressSet(networks(['0.0.0.0/0', '2000::/3']))

export const loopbackNetworks = addressSet(networks(['127.0.0.0/8', '::1']))

/** What no list opens: operating systems send these to the machine itself, or to an IPv4 address. */
export const impossibleNetworks = addressSet(networks(['0.0.0.0/8', '::', '::ffff:0:0/96']))
