import { isDefaultParameter, isForwardableHeader } from '@trivium/gateway-core'
import * as v from 'valibot'
import { optional, section } from './section.ts'
import { anyJson, listOf, namedBy, text, whole, within } from './values.ts'

const MOST_SECONDS = 2_147_483

export const timeouts = section({
  connect_seconds: optional('Seconds until the connection is made (10).', within(0.001, MOST_SECONDS)),
  first_byte_seconds: optional('Seconds until the first event of a stream (300).', within(0.001, MOST_SECONDS)),
  idle_seconds: optional('Seconds between two chunks of a stream (120).', within(0.001, MOST_SECONDS)),
  total_seconds: optional(
    'Seconds for a whole answer, or until the first event of a stream (600).',
    within(0.001, MOST_SECONDS),
  ),
})

export const retries = section({
  retries: optional('Attempts beyond the first, for failures that may pass (1).', whole(0, 100)),
  max_wait_seconds: optional(
    'The longest wait before a retry; where it is longer, the next model is tried (5).',
    within(0, MOST_SECONDS),
  ),
  backoff_ms: optional('Milliseconds before the first retry, doubled with each (250).', within(0, MOST_SECONDS * 1000)),
})

/** Names of clients' headers that may be passed on. */
export const forwardHeaders = listOf(
  v.pipe(
    text,
    v.check(isForwardableHeader, 'must be the name of a header such as openai-organization, without credentials'),
  ),
  50,
)

/** Fields of a request in the protocol of the upstream. */
const fields = namedBy(
  v.pipe(
    text,
    v.check(isDefaultParameter, 'cannot be set, because it is the request itself or what multiplies its answers'),
  ),
  anyJson,
  100,
)

const parameters = section({
  chat: optional('For chat completions, such as { temperature: 0.2, reasoning_effort: low }.', fields),
  responses: optional('For responses, such as { reasoning: { effort: low } }.', fields),
  messages: optional("For Anthropic's messages, such as { thinking: { type: adaptive } }.", fields),
})

/** How an upstream, or some of its models, are called. */
export const rules = {
  timeouts: optional('Timeouts of its calls.', timeouts),
  retries: optional('How often it is called again.', retries),
  parameters: optional('Fields that requests get where the client did not set them, by protocol.', parameters),
  forward_headers: optional("Names of clients' headers that it gets.", forwardHeaders),
  max_parallel_requests: optional('The most running requests of one process (no limit).', whole(1, 1_000_000)),
  wait_seconds: optional(
    'How long a request waits for a running one to end, or for a rate limit to pass (0: it is refused with 429).',
    within(0, 600),
  ),
}

export const ruleSection = section(rules)

export type Rules = v.InferOutput<typeof ruleSection>
