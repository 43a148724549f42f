import { parseJson } from '../chat/parse-json.ts'
import { objectOf } from '../dialects/json-values.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import type { Images } from '../images/images.ts'
import { CapturedContent } from './captured-content.ts'

const decoder = new TextDecoder()

/** A larger answer of a completion is not read. */
const LONGEST_ANSWER = 2 ** 20

/** Captures the texts that endpoints get. */
export const loggedEndpoints = (service: EndpointCalls, maxContentBytes: number): EndpointCalls => ({
  send(call, request) {
    if (request.texts) {
      call.content = new CapturedContent(maxContentBytes)
      call.content.asked(request.texts)
    }
    return service.send(call, request)
  },
})

/** Captures whole text completions as clients get them. */
export const loggedCompletions = (service: EndpointCalls): EndpointCalls => ({
  send(call, request) {
    const sent = service.send(call, request)
    if (request.endpoint !== 'completions' || request.streamed) return sent
    return sent.map((reply) => {
      if (reply.kind !== 'whole' || reply.bytes.length > LONGEST_ANSWER) return reply
      const answer = objectOf(parseJson(decoder.decode(reply.bytes)))
      if (answer) call.content?.answered(answer)
      return reply
    })
  },
})

/** Captures the prompts of images. */
export const loggedImages = (images: Images, maxContentBytes: number): Images => ({
  ...images,
  generate(call, request) {
    call.content = new CapturedContent(maxContentBytes)
    call.content.asked({ prompt: request.prompt })
    return images.generate(call, request)
  },
})
