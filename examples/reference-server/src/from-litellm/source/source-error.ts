/** A file that cannot be read. The message is for the operator and contains no text of the file. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
