/** An Ethernet address as one number below 2 ** 48: cheap to compare and to use as a key. */
export type MacAddress = number

export const BROADCAST_MAC: MacAddress = 0xffffffffffff

/** Formats as `00:50:79:66:68:00`. */
export const formatMac = (address: MacAddress): string =>
  address
    .toString(16)
    .padStart(12, '0')
    .replace(/(..)(?=.)/g, '$1:')
