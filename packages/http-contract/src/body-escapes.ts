const BACKSLASH = 0x5c

/** The most backslashes of a JSON text. A body of 8 MiB cannot have more escapes. */
export const MOST_ESCAPES = 2 ** 22

/** Counts the backslashes of a part of a JSON text. */
export function escapesIn(bytes: Uint8Array): number {
  const first = bytes.indexOf(BACKSLASH)
  if (first < 0) return 0
  let count = 0
  // A search for each backslash would be slower where they are dense.
  for (let index = first; index < bytes.length; index += 1) if (bytes[index] === BACKSLASH) count += 1
  return count
}

/** Whether a JSON text has more backslashes than {@link MOST_ESCAPES}. */
export const hasMoreEscapes = (bytes: Uint8Array): boolean =>
  bytes.length > 2 * MOST_ESCAPES && escapesIn(bytes) > MOST_ESCAPES
