const encoder = new TextEncoder()

/** Control characters and both kinds of slash. */
const FORBIDDEN = /[\p{Cc}/\\]/u

/** Whether a name can only ever be one file of the directory that it is put in: no slashes, no dots alone, at most 255 bytes. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !FORBIDDEN.test(name) && encoder.encode(name).length <= 255
