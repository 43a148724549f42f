/** Bytes of UTF-8. */
const MAXIMUM_NAME = 64

const encoder = new TextEncoder()

/** A directory name at the top of a volume: no slash, no control character, and none of the names that are taken there. */
export const isQtreeName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  name.isWellFormed() &&
  encoder.encode(name).length <= MAXIMUM_NAME &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  !/[\u0000-\u001f\u007f/]/.test(name) &&
  name !== '.snapshot'
