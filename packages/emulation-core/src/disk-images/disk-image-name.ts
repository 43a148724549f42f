const encoder = new TextEncoder()

const LONGEST_NAME_BYTES = 200

/** Begins with a letter, a digit or `_`, and has no character that file systems, URLs or QEMU give a meaning. */
const ALLOWED = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._+~@()=#-]*$/u

/** Names of devices of Windows, also with an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Whether a name can be one of a disk image: 1 to 200 bytes that begin with a letter, a digit or `_`, followed by these,
 * spaces and `. _ + ~ @ ( ) = # -`, without a space or full stop at the end. `CON`, `NUL` and other names of devices are
 * refused.
 */
export const isDiskImageName = (name: string): boolean =>
  ALLOWED.test(name) && !/[ .]$/.test(name) && !DEVICE.test(name) && encoder.encode(name).length <= LONGEST_NAME_BYTES
