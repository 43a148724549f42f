const encoder = new TextEncoder()

/** Control characters and both kinds of slash. */
const FORBIDDEN = /[\p{Cc}/\\]/u

/** Whether a name is a file name that stays in its directory: no slashes, not `.` or `..`, at most 255 bytes. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !FORBIDDEN.test(name) && encoder.encode(name).length <= 255
