/** One range of a file, as a request of {@link uploadInRanges} has it. */
export interface UploadedRange {
  readonly upload: Blob
  /** `content-range`, and `content-digest` where the platform has WebCrypto: in secure contexts. */
  readonly headers: Readonly<Record<string, string>>
}

/** Options of {@link uploadInRanges}. */
export interface UploadInRangesOptions<Reply> {
  /** Sends one range. Its reply to the last one is the result. */
  readonly send: (range: UploadedRange) => Promise<Reply>
  /** Reads how many bytes the server has, at the start and after a lost connection. @default always 0 at the start */
  readonly receivedBytes?: () => Promise<number>
  /** The expected SHA-256 of the whole in hexadecimal digits, which the server checks. @default not sent */
  readonly sha256?: string
  /** The most bytes of one range, which are in memory at the same time. @default 8 MiB */
  readonly rangeBytes?: number
  /** Lost connections in a row after which the error of `fetch` is thrown. @default 3 */
  readonly retries?: number
  /** Stops before the next range. Pass it to the request too, to stop within one. @default does not stop */
  readonly signal?: AbortSignal
  /** Called with the bytes that the server has, after each range. @default not called */
  readonly onProgress?: (receivedBytes: number) => void
}

const RANGE_BYTES = 8 * 2 ** 20

/**
 * Uploads a file in ranges, each with its checksum, and continues where an earlier upload ended. Waits 1 second after a
 * lost connection, then 2 and so on. No more than one range of the file is in memory. Rejects as `send` does, and with the
 * reason of the signal.
 *
 * @returns the reply to the last range
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs'
 * import { emulationContract } from '@trivium/emulation-core/http'
 * import { createClient, expectOk, uploadInRanges } from '@trivium/http-client'
 *
 * const emulation = createClient(emulationContract, { baseUrl: 'http://127.0.0.1:8787' })
 * const params = { name: 'alpine.qcow2' }
 * const image = await uploadInRanges(await openAsBlob('alpine.qcow2'), {
 *   send: (range) => expectOk(emulation.putDiskImage({ params, ...range })),
 * })
 * console.log(image.state)
 * ```
 */
export async function uploadInRanges<Reply>(file: Blob, options: UploadInRangesOptions<Reply>): Promise<Reply> {
  const { send, receivedBytes = async () => 0, rangeBytes = RANGE_BYTES, retries = 3, signal, onProgress } = options
  let at = await receivedBytes()
  for (let losses = 0; ; ) {
    signal?.throwIfAborted()
    const end = Math.min(at + rangeBytes, file.size)
    try {
      const reply = await send(await rangeOf(file, at, end, options.sha256))
      losses = 0
      at = end
      onProgress?.(at)
      if (at === file.size) return reply
    } catch (error) {
      // `fetch` throws a TypeError for a connection that fails.
      losses += 1
      if (!(error instanceof TypeError) || options.receivedBytes === undefined || losses > retries) throw error
      await delay(losses * 1000, signal)
      at = await receivedBytes()
    }
  }
}

async function rangeOf(file: Blob, start: number, end: number, sha256: string | undefined): Promise<UploadedRange> {
  const upload = file.slice(start, end)
  // An upload that has all of its bytes is completed by an empty range.
  const place = start === end ? '*' : `${start}-${end - 1}`
  const digest = await digestOf(upload)
  return {
    upload,
    headers: {
      'content-range': `bytes ${place}/${file.size}`,
      ...(digest !== undefined && { 'content-digest': `sha-256=:${digest}:` }),
      ...(sha256 !== undefined && { 'repr-digest': `sha-256=:${toBase64(fromHex(sha256))}:` }),
    },
  }
}

async function digestOf(range: Blob): Promise<string | undefined> {
  // Pages of plain HTTP on another machine have no `subtle`, which the types do not say.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (!subtle) return undefined
  return toBase64(new Uint8Array(await subtle.digest('SHA-256', await range.arrayBuffer())))
}

const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const delay = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
