const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
/** A database keeps rows in the order of their ids, in many indexes. 90 random bits are left. */
const SHARED_DIGITS = 8

/**
 * Returns a source of UUIDs that begin with the same digits, so that a database changes few pages to add their records.
 * Ids of another form are returned unchanged.
 */
export function neighbouringIds(newId: () => string): () => string {
  let shared: string | undefined
  return () => {
    const id = newId()
    if (!UUID.test(id)) return id
    shared ??= id.slice(0, SHARED_DIGITS)
    return `${shared}${id.slice(SHARED_DIGITS)}`
  }
}
