import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** The checksums of the first bytes of a file. */
export interface ContentHashes {
  readonly bytes: number
  readonly sha256: Hash
  readonly md5: Hash
}

/** Large enough for speed. Hashing a piece takes about 1 ms, between which other requests are answered. */
const PIECE_BYTES = 2 ** 18

export const noContent = (): ContentHashes => ({ bytes: 0, sha256: createHash('sha256'), md5: createHash('md5') })

/** Returns a copy that has more bytes. The original stays as it is. */
export const copyHashes = ({ bytes, sha256, md5 }: ContentHashes): ContentHashes => ({
  bytes,
  sha256: sha256.copy(),
  md5: md5.copy(),
})

/** Reads a file, and computes its checksums. */
export async function hashFile(path: string): Promise<ContentHashes> {
  const { sha256, md5 } = noContent()
  let bytes = 0
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    sha256.update(piece)
    md5.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256, md5 }
}

/** Returns the checksums in lower case hexadecimal digits, and leaves the hashes usable. */
export const digestsOf = ({ sha256, md5 }: ContentHashes): { readonly sha256: string; readonly md5: string } => ({
  sha256: sha256.copy().digest('hex'),
  md5: md5.copy().digest('hex'),
})
