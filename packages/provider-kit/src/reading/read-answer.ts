import { ByteCollector, ProviderFailure, parseJson } from '@trivium/gateway-core/ports'
import type { UpstreamAnswer } from '../calls/upstream-answer.ts'

/** The whole body. @throws ProviderFailure where it does not come to its end */
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

/** The value of a body, `undefined` where it is not JSON. @throws ProviderFailure where it does not come to its end */
export const readJson = async (answer: UpstreamAnswer): Promise<unknown> =>
  parseJson(decoder.decode(await readAnswer(answer)))

/** The first bytes of a body as text, at most `limit` of them; the rest is not waited for, and a failure is its end. */
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
