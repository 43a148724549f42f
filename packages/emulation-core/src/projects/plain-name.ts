const encoder = new TextEncoder()

/** Control characters and both kinds of slash. */
const FORBIDDEN = /[\p{Cc}/\\]/u

/**
 * Whether a name is a file name that stays in its directory: 1 to 255 bytes without slashes, backslashes and control
 * characters, and not `.` or `..`.
 */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !FORBIDDEN.test(name) && encoder.encode(name).length <= 255
