import type { ResultAsync } from 'neverthrow'
import type { AnsweringLayer, Streamed } from '../dialects/answering/answering.ts'
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

/**
 * Makes the layer that captures answers as clients get them: around the guardrails.
 *
 * @param most the most bytes of texts. 0: none are stored
 */
export const loggedAnswers =
  (most: number): AnsweringLayer =>
  (_, service) => {
    const observed = (content: CapturedContent, request: DialectCall): DialectCall => {
      if (most === 0) return request
      const { onAnswer, observeStream } = request
      return {
        ...request,
        onAnswer: (answer) => {
          content.answered(answer)
          onAnswer?.(answer)
        },
        observeStream: () => {
          const texts = new AnswerTexts(most)
          content.answer = texts
          return bothObservers(new AnswerReader(texts), observeStream?.())
        },
      }
    }
    return {
      complete(call, request) {
        const content = new CapturedContent(most)
        call.content = content
        return untilSettled(service.complete(call, observed(content, request)), content)
      },
      stream(call, request) {
        const content = new CapturedContent(most)
        call.content = content
        const release = content.hold()
        return service
          .stream(call, observed(content, request))
          .map((streamed) => untilEnded(streamed, release))
          .mapErr((error) => {
            release()
            return error
          })
      },
    }
  }

/** Holds the entry of a request in the log until it is answered. */
export function untilSettled<Value, Failure>(
  answer: ResultAsync<Value, Failure>,
  content: CapturedContent,
): ResultAsync<Value, Failure> {
  const release = content.hold()
  void answer.then(release, release)
  return answer
}

const untilEnded = (streamed: Streamed, release: () => void): Streamed => ({
  ...streamed,
  attach(sink) {
    const control = streamed.attach({
      write: (chunk) => sink.write(chunk),
      end() {
        sink.end()
        release()
      },
    })
    return {
      resume: () => control.resume(),
      close() {
        control.close()
        release()
      },
    }
  },
  cancel() {
    streamed.cancel()
    release()
  },
})
