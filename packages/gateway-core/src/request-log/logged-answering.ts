import type { GatewayCall } from '../caller.ts'
import type { AnsweringLayer } from '../dialects/answering/answering.ts'
import type { DialectCall } from '../dialects/answering/front.ts'
import { bothObservers } from '../dialects/answering/stream-observer.ts'
import { AnswerReader } from './answer-reader.ts'
import { AnswerTexts } from './answer-texts.ts'
import { CapturedContent } from './captured-content.ts'

/** The layer that captures the texts of requests as upstreams get them: within the guardrails that mask them. */
export const loggedPrompts: AnsweringLayer = (_, service) => ({
  complete(call, request) {
    call.content?.asked(request.body)
    return service.complete(call, request)
  },
  stream(call, request) {
    call.content?.asked(request.body)
    return service.stream(call, request)
  },
})

/** Makes the layer that captures the texts of answers as clients get them: around the guardrails. */
export const loggedAnswers =
  (maxContentBytes: number): AnsweringLayer =>
  (_, service) => {
    const observed = (call: GatewayCall, request: DialectCall): DialectCall => {
      const content = new CapturedContent(maxContentBytes)
      call.content = content
      const { onAnswer, observeStream } = request
      return {
        ...request,
        onAnswer: (answer) => {
          content.answered(answer)
          onAnswer?.(answer)
        },
        observeStream: () => {
          const texts = new AnswerTexts(maxContentBytes)
          content.answer = texts
          return bothObservers(new AnswerReader(texts), observeStream?.())
        },
      }
    }
    return {
      complete: (call, request) => service.complete(call, observed(call, request)),
      stream: (call, request) => service.stream(call, observed(call, request)),
    }
  }
