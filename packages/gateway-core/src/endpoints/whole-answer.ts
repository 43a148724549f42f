import { ByteCollector } from '../providers/byte-collector.ts'
import type { EndpointAnswer } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-error.ts'

export type WholeAnswer = Extract<EndpointAnswer, { readonly kind: 'whole' }>

/** Reads the rest of a streamed answer. The provider bounds its bytes. @throws ProviderFailure where it is cut */
export function wholeAnswer(answer: EndpointAnswer): Promise<WholeAnswer> {
  if (answer.kind === 'whole') return Promise.resolve(answer)
  const { start, headers, contentType } = answer
  return new Promise((resolve, reject) => {
    const collector = new ByteCollector()
    start({
      data: (bytes) => {
        collector.add(bytes)
        return true
      },
      end: () => resolve({ kind: 'whole', bytes: collector.take(), contentType, ...(headers ? { headers } : {}) }),
      failed: (error) => reject(new ProviderFailure(error)),
    })
  })
}
