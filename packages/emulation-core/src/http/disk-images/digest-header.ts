import * as v from 'valibot'

const LONGEST_HEADER = 4096

/** SHA-256 has 32 bytes, which are 43 characters and a `=`. */
const SHA_256 = /^sha-256=:([A-Za-z\d+/]{43}=):$/i

/**
 * Reads the SHA-256 of `Content-Digest` or `Repr-Digest` (RFC 9530), as lower case hexadecimal digits. Digests of other
 * algorithms are ignored beside it.
 */
export const digestHeader: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.maxLength(LONGEST_HEADER, `must have at most ${LONGEST_HEADER} characters`),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const found = dataset.value.split(',').flatMap((item) => SHA_256.exec(item.trim())?.[1] ?? [])
    const [digest] = found
    if (digest === undefined || found.length > 1) {
      addIssue({ message: "must have 'sha-256=:BASE64:' once" })
      return NEVER
    }
    return Array.from(atob(digest), (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  }),
)
