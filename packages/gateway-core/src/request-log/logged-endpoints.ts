import { parseJson } from '../chat/parse-json.ts'
import { objectOf } from '../dialects/json-values.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import type { Images } from '../images/images.ts'
import { CapturedContent } from './captured-content.ts'
import { untilSettled } from './logged-answering.ts'

const decoder = new TextDecoder()

/** A larger answer of a completion is not read. */
const LONGEST_ANSWER = 2 ** 20

/** Captures the texts that endpoints get. */
export const loggedEndpoints = (service: EndpointCalls): EndpointCalls => ({
  send(call, request) {
    if (request.texts) call.content?.asked(request.texts)
    return service.send(call, request)
  },
})

/**
 * Captures what endpoints answer, and whole text completions as clients get them.
 *
 * @param most the most bytes of texts. 0: none are stored
 */
export const loggedCompletions = (service: EndpointCalls, most: number): EndpointCalls => ({
  send(call, request) {
    const content = new CapturedContent(most)
    call.content = content
    if (request.endpoint !== 'completions' || request.streamed) return service.send(call, request)
    const read = service.send(call, request).map((reply) => {
      if (most === 0 || reply.kind !== 'whole' || reply.bytes.length > LONGEST_ANSWER) return reply
      const answer = objectOf(parseJson(decoder.decode(reply.bytes)))
      if (answer) content.answered(answer)
      return reply
    })
    return untilSettled(read, content)
  },
})

/** Captures the prompts of images. */
export const loggedImages = (images: Images, most: number): Images => ({
  ...images,
  generate(call, request) {
    call.content = new CapturedContent(most)
    call.content.asked({ prompt: request.prompt })
    return images.generate(call, request)
  },
})
