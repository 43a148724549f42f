import { isObject } from '../../chat/is-object.ts'
import { errorBodyOf } from '../../providers/error-body.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import type { JsonObject } from '../dialect.ts'
import { namedEvents } from '../streams/named-events.ts'
import type { StreamEvent, StreamProtocol } from '../streams/stream-protocol.ts'
import { failedResponse } from './answers/failed-response.ts'
import { ResponsesStreamAccount } from './responses-stream-account.ts'

function classify(type: string, value: JsonObject): StreamEvent {
  switch (type) {
    case 'response.completed':
    case 'response.incomplete':
    case 'response.cancelled':
      return { type: 'done', value }
    case 'response.failed':
      return { type: 'error', value: failureIn(value), last: true, chunk: value }
    case 'error':
      return { type: 'error', value: isObject(value.error) ? value.error : value, last: true, chunk: value }
    default:
      return { type: 'chunk', value }
  }
}

/** OpenAI ends a response that has begun with this event, which follows `error`. Codex reads only this one. */
function failedEvent({ begun }: ResponsesStreamAccount, error: ProviderError, number: number): string {
  if (!begun) return ''
  const value = { type: 'response.failed', sequence_number: number, response: failedResponse(begun, error) }
  return `event: response.failed\ndata: ${JSON.stringify(value)}\n\n`
}

const failureIn = ({ response }: JsonObject): unknown =>
  isObject(response) && isObject(response.error) ? response.error : 'The response failed.'

const states = ['created', 'completed', 'incomplete', 'cancelled', 'failed'].map((state) => `response.${state}`)

const events = namedEvents([...states, 'error'], classify)

/** The protocol of streamed responses. */
export function responsesProtocol(): StreamProtocol {
  const account = new ResponsesStreamAccount()
  return {
    ...events,
    account,
    keepAlive: ': keep-alive\n\n',
    end: '',
    hides: () => false,
    errorEvent(error) {
      const { code, message, param } = errorBodyOf(error)
      const number = account.sequenceNumber + 1
      const value = { type: 'error', code, message, param, sequence_number: number }
      return `event: error\ndata: ${JSON.stringify(value)}\n\n${failedEvent(account, error, number + 1)}`
    },
    // An upstream that has sent the response that failed needs none.
    afterError: (error) => (account.answer ? '' : failedEvent(account, error, account.sequenceNumber + 1)),
  }
}
