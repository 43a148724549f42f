import { ByteCollector, ProviderFailure, parseJson } from '@trivium/gateway-core/ports'
import type { UpstreamAnswer } from '../calls/upstream-answer.ts'

/** Reads the whole body. Rejects with `ProviderFailure` if it does not end properly. */
export function readAnswer({ start }: UpstreamAnswer): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collector = new ByteCollector()
    start({
      data: (chunk) => {
        collector.add(chunk)
        return true
      },
      end: () => resolve(collector.take()),
      failed: (error) => reject(new ProviderFailure(error)),
    })
  })
}

/**
 * Reads the whole body as JSON; `undefined` if it is not JSON. Rejects with `ProviderFailure` if it does not end
 * properly.
 */
export const readJson = async (answer: UpstreamAnswer): Promise<unknown> =>
  parseJson(decoder.decode(await readAnswer(answer)))

/** Reads at most `limit` bytes of a body as text, and cancels the rest. Never rejects: a failure ends the text. */
export function readExcerpt({ start }: UpstreamAnswer, limit: number): Promise<string> {
  return new Promise((resolve) => {
    const collector = new ByteCollector()
    const settle = () => resolve(decoder.decode(collector.take()))
    const source = start({
      data: (chunk) => {
        collector.add(chunk.subarray(0, limit - collector.size))
        if (collector.size < limit) return true
        queueMicrotask(() => source.cancel())
        settle()
        return false
      },
      end: settle,
      failed: settle,
    })
  })
}

const decoder = new TextDecoder()
