import { type ProviderErrorInit, ProviderFailure } from '../../providers/provider-error.ts'
import { MalformedForm } from './malformed-form.ts'

/** The chunks of a client, which can be read once. Errors of the client end the request to the upstream as such. */
export class UploadSource {
  /** What the client did wrong, or its disconnection, while an upstream read. */
  failure: unknown
  /** Whether an upstream has read any of it. */
  isRead = false
  readonly #iterator: AsyncIterator<Uint8Array>

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#iterator = chunks[Symbol.asyncIterator]()
  }

  /** Reads a chunk before an upstream does; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#iterator.next()
    return done ? undefined : value
  }

  /** The rest for an upstream. What it does not read is discarded. @throws ProviderFailure for errors of the client */
  async *rest(
    convert: (chunk: Uint8Array) => Iterable<Uint8Array> = (chunk) => [chunk],
    atEnd: () => void = () => undefined,
  ): AsyncGenerator<Uint8Array, void> {
    if (this.isRead) throw new TypeError('The upload was already sent')
    this.isRead = true
    try {
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield* convert(chunk)
      atEnd()
    } catch (error) {
      this.failure = error
      throw new ProviderFailure(asRefusal(error), { cause: error })
    } finally {
      this.#iterator.return?.().catch(() => undefined)
    }
  }
}

/** A fault of the client, for which no other upstream is tried. */
function asRefusal(error: unknown): ProviderErrorInit {
  if (!(error instanceof MalformedForm)) {
    return { type: 'cancelled', message: 'The upload ended before it was complete.' }
  }
  const { message, code, param } = error
  return { type: 'refused', status: 400, code, message, ...(param === undefined ? {} : { param }) }
}
