import * as v from 'valibot'
import { wholeWithin, within } from '../../bounds.ts'
import { hasMessages, MAX_MESSAGES, maxTokensSchema, NO_MESSAGES } from '../../dialects/messages/message-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, type SchemaOf } from '../fields.ts'

/** Anthropic's limits. */
const MAX_BLOCKS = 100_000
const MAX_TOOLS = 10_000

/** A block of any type. Unknown ones are passed to an upstream of the same dialect. */
const block = v.looseObject({ type: v.string() })

const textBlock = v.looseObject({ type: v.literal('text'), text: v.string() })

const blocks = listOf(
  v.lazy((input) => (isText(input) ? textBlock : block)),
  MAX_BLOCKS,
)
const textOrBlocks = v.union([v.string(), blocks], 'must be a string or an array of content blocks')

interface ContentSchema extends SchemaOf<typeof textOrBlocks> {}

/** Selects one schema by the input, so that an issue names the wrong block. */
const content: ContentSchema = v.pipe(
  v.lazy((input) => (Array.isArray(input) ? blocks : textOrBlocks)),
  v.title('MessageBlocks'),
)

const isText = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'type' in input && input.type === 'text'

const message = v.looseObject({ role: v.picklist(['user', 'assistant', 'system']), content })

const tool = v.looseObject({
  name: maybe(
    v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(512, 'must have at most 512 characters')),
  ),
  type: maybe(v.string()),
})

/** A choice, a configuration: an object with a type. */
const typed = v.looseObject({ type: v.string() })

const prompt = {
  model: modelSchema,
  messages: listOf(message, MAX_MESSAGES),
  system: maybe(content),
  tools: maybe(listOf(tool, MAX_TOOLS)),
  tool_choice: maybe(typed),
  thinking: maybe(typed),
  output_config: maybe(v.looseObject({ effort: maybe(v.string()), format: maybe(typed) })),
}

const messageRequest = v.looseObject({
  ...prompt,
  max_tokens: maxTokensSchema,
  stream: maybe(v.boolean()),
  temperature: maybe(within(0, 2)),
  top_p: maybe(within(0, 1)),
  top_k: maybe(wholeWithin(0, Number.MAX_SAFE_INTEGER)),
  stop_sequences: maybe(listOf(v.string(), 8192)),
  metadata: maybe(v.looseObject({ user_id: maybe(v.string()) })),
  service_tier: maybe(v.string()),
  timeout: maybe(timeoutSchema),
})

export interface MessageRequestSchema extends SchemaOf<typeof messageRequest> {}

/** A request of the Messages API. Known fields are validated, and unknown ones are passed to the upstream. */
export const messageRequestSchema: MessageRequestSchema = v.pipe(
  messageRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
  v.forward(
    v.check((body) => hasMessages(body), NO_MESSAGES),
    ['messages'],
  ),
  v.title('MessageRequest'),
)

const tokenCountRequest = v.looseObject(prompt)

export interface TokenCountRequestSchema extends SchemaOf<typeof tokenCountRequest> {}

/** A request to count the tokens of a prompt. */
export const tokenCountRequestSchema: TokenCountRequestSchema = v.pipe(
  tokenCountRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
  v.forward(
    v.check((body) => hasMessages(body), NO_MESSAGES),
    ['messages'],
  ),
  v.title('MessageCountRequest'),
)
