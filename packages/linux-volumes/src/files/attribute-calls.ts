import { VolumeRefusal } from '@trivium/storage-core/ports'

/** The numbers of the system calls for extended attributes, which Node has none for. */
export interface AttributeCalls {
  readonly list: number
  readonly get: number
  readonly set: number
  readonly remove: number
}

const generic: AttributeCalls = { list: 11, get: 8, set: 5, remove: 14 }

const callNumbers: Readonly<Record<string, AttributeCalls>> = {
  x64: { list: 194, get: 191, set: 188, remove: 197 },
  arm64: generic,
  riscv64: generic,
  loong64: generic,
}

/** Returns the numbers of this processor. @throws VolumeRefusal `unsupported` where the processor is not known */
export function attributeCalls(): AttributeCalls {
  const numbers = callNumbers[process.arch]
  if (numbers) return numbers
  throw new VolumeRefusal('unsupported', `Directories cannot be cloned on a processor of type ${process.arch}`)
}
