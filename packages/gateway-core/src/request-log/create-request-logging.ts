import { checkRange } from '../check-range.ts'
import type { AnsweringLayer } from '../dialects/answering/answering.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import type { Images } from '../images/images.ts'
import { loggedAnswers, loggedPrompts } from './logged-answering.ts'
import { loggedCompletions, loggedEndpoints, loggedImages } from './logged-endpoints.ts'
import { DEFAULT_LOG_DAYS, type RequestLogOptions, requestLogOptions } from './request-log-options.ts'
import type { RequestLogRepository } from './request-log-repository.ts'
import { createRequestLogWriter, type RequestLogWriter, type RequestLogWriterParts } from './request-log-writer.ts'

export interface RequestLoggingParts extends RequestLogWriterParts {
  readonly repository: RequestLogRepository
}

/** What a gateway does with the request log. */
export interface RequestLogging {
  /** `undefined` where the log is off. */
  readonly writer: RequestLogWriter | undefined
  /** What captures texts and answers. `undefined` where the log is off. */
  readonly content: ContentCapture | undefined
  /** How long entries are kept, also those of a log that was switched off. */
  readonly days: number
}

/** Makes services that the log observes: requests as upstreams get them, and answers as clients get them. */
export interface ContentCapture {
  readonly prompts: AnsweringLayer
  readonly answers: AnsweringLayer
  readonly endpoints: (service: EndpointCalls) => EndpointCalls
  readonly completions: (service: EndpointCalls) => EndpointCalls
  readonly images: (images: Images) => Images
}

/** The current time minus this many days is still a valid date. */
const MAX_DAYS = 1_000_000

/**
 * @param given `undefined` where the log is off
 * @throws RangeError for a number that is out of range
 * @throws TypeError for a value of another type, and for a pattern that does not exist
 */
export function createRequestLogging(given: RequestLogOptions | undefined, parts: RequestLoggingParts): RequestLogging {
  const { days = DEFAULT_LOG_DAYS } = given ?? {}
  checkRange({ 'requestLog.days': days }, 1, MAX_DAYS)
  if (!given) return { writer: undefined, content: undefined, days }
  const options = requestLogOptions(given)
  const most = options.content ? options.maxContentBytes : 0
  return {
    writer: createRequestLogWriter(options, parts),
    content: {
      prompts: loggedPrompts,
      answers: loggedAnswers(most),
      endpoints: loggedEndpoints,
      completions: (service) => loggedCompletions(service, most),
      images: (images) => loggedImages(images, most),
    },
    days,
  }
}
