/** In bytes of UTF-8. */
const MAXIMUM_NAME = 64

const encoder = new TextEncoder()

/** Whether a name is a possible directory: no slash or control character, at most 64 bytes, and not a reserved name. */
export const isQtreeName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  name.isWellFormed() &&
  encoder.encode(name).length <= MAXIMUM_NAME &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the refused characters
  !/[\u0000-\u001f\u007f/]/.test(name) &&
  name !== '.snapshot'
