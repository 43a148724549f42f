/** The network of every NAT node. The names of the fields are those of QEMU. */
export const natNetwork = {
  ipv4: { network: '192.168.122.0', prefix: 24, gateway: '192.168.122.1', resolver: '192.168.122.2' },
  ipv6: { network: 'fec0::', prefix: 64, gateway: 'fec0::2', resolver: 'fec0::3' },
  /** The first address of 16 that are leased. */
  firstLease: '192.168.122.15',
} as const
