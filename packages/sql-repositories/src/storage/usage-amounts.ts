import type { UsageAmounts } from '@trivium/storage-core/ports'

/** The number of targets whose amounts are in one text. */
export const TARGETS_PER_BLOCK = 64

/** The amounts of the targets of a block, by their places in it. */
export type Block = readonly (UsageAmounts | undefined)[]

/**
 * Writes the amounts of a block: `used:peak:files:peak:size:available` of each target, with commas between targets.
 * Numbers have base 36. A peak is the difference to its amount. What is unset or a difference of 0 is empty, and empty
 * ends are left out.
 */
export const writeBlock = (block: Block): string => withoutEnd(Array.from(block, write).join(','), ',')

/** Reads the amounts of all targets of a block. */
export const readBlock = (text: string): Block => text.split(',').map(read)

/** Reads the amounts of one target. */
export function readPlace(text: string, place: number): UsageAmounts | undefined {
  let start = 0
  for (let passed = 0; passed < place; passed += 1) {
    start = text.indexOf(',', start) + 1
    if (start === 0) return undefined
  }
  const end = text.indexOf(',', start)
  return read(text.slice(start, end < 0 ? undefined : end))
}

function write(amounts: UsageAmounts | undefined): string {
  if (!amounts) return ''
  const { used, usedPeak, files, filesPeak, size, available } = amounts
  const fields = [used, difference(used, usedPeak), files, difference(files, filesPeak), size, available]
  return withoutEnd(fields.map((field) => field?.toString(36) ?? '').join(':'), ':')
}

function read(text: string): UsageAmounts | undefined {
  if (text === '') return undefined
  const [used = 0, usedMore = 0, files, filesMore = 0, size, available] = text
    .split(':')
    .map((field) => (field === '' ? undefined : Number.parseInt(field, 36)))
  return {
    used,
    usedPeak: used + usedMore,
    ...(files !== undefined && { files, filesPeak: files + filesMore }),
    ...(size !== undefined && { size }),
    ...(available !== undefined && { available }),
  }
}

/** The difference of a peak to its amount, unless it is 0. */
function difference(amount: number | undefined, peak: number | undefined): number | undefined {
  return amount === undefined || peak === undefined || peak === amount ? undefined : peak - amount
}

function withoutEnd(text: string, separator: string): string {
  let end = text.length
  while (text[end - 1] === separator) end -= 1
  return text.slice(0, end)
}
