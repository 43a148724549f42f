import * as v from 'valibot'
import { checkRequest, object } from '../check-request.ts'
import type { Reply } from '../script.ts'
import { type Exchange, sendEvents, sendJson, startUpstream, type Upstream } from '../upstream.ts'
import { checkAnswerOptions, checkMessages, signatureOf } from './check-messages.ts'
import { countSchema, type MessagesRequest, messagesSchema } from './messages-schema.ts'

const THOUGHT = 'The user needs an answer.'
const USAGE = { input_tokens: 31, cache_creation_input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 }
const OUTPUT_TOKENS = 11

/** Starts an upstream with Anthropic's Messages API. */
export const startMessagesUpstream = (): Promise<Upstream> =>
  startUpstream(
    {
      'POST /v1/messages': answerMessages,
      'POST /v1/messages/count_tokens': countTokens,
      'GET /v1/models': ({ response }) =>
        sendJson(response, {
          data: [{ type: 'model', id: 'claude-sonnet-4-5', display_name: 'M', created_at: '2025-09-29T00:00:00Z' }],
          has_more: false,
        }),
    },
    (status, message) => ({
      type: 'error',
      error: { type: status === 404 ? 'not_found_error' : 'invalid_request_error', message },
      request_id: 'req_1',
    }),
  )

function countTokens({ received, response }: Exchange): void {
  checkMessages(checkRequest(countSchema, received.body), received.headers)
  sendJson(response, { input_tokens: 42 })
}

let count = 0

function answerMessages({ received, response, script }: Exchange): void {
  const request = checkRequest(messagesSchema, received.body)
  checkMessages(request, received.headers)
  checkAnswerOptions(request)
  const reply = script.reply({
    tools: (request.tools ?? []).flatMap(({ name, input_schema }) =>
      v.is(object, input_schema) ? [{ name: String(name), schema: input_schema }] : [],
    ),
    choice: request.tool_choice?.type === 'tool' ? request.tool_choice.name : (request.tool_choice?.type ?? 'auto'),
    results: resultsIn(request),
    format: request.output_config?.format?.schema ?? request.output_format?.schema,
  })
  count += 1
  const content = [...thinkingOf(request), blockOf(reply)]
  const message = {
    ...{ id: `msg_${count}`, type: 'message', role: 'assistant', model: request.model, content },
    stop_reason: reply.kind === 'call' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { ...USAGE, output_tokens: OUTPUT_TOKENS },
  }
  if (request.stream === true) sendEvents(response, eventsOf(message))
  else sendJson(response, message)
}

function resultsIn({ messages }: MessagesRequest): number {
  let results = 0
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const { type } of content) results += type === 'tool_result' ? 1 : 0
  }
  return results
}

type Block = ReturnType<typeof blockOf> | { type: 'thinking'; thinking: string; signature: string }

const thinkingOf = ({ thinking }: MessagesRequest): Block[] =>
  thinking === undefined || thinking.type === 'disabled'
    ? []
    : [{ type: 'thinking', thinking: THOUGHT, signature: signatureOf(THOUGHT) }]

const blockOf = (reply: Reply) =>
  reply.kind === 'text'
    ? { type: 'text' as const, text: reply.text }
    : { type: 'tool_use' as const, id: `toolu_${count}`, name: reply.tool.name, input: reply.input }

interface Message {
  readonly content: readonly Block[]
  readonly stop_reason: string
}

function eventsOf(message: Message): object[] {
  const blocks = message.content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ])
  const started = { ...message, content: [], stop_reason: null, usage: USAGE }
  return [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: OUTPUT_TOKENS },
    },
    { type: 'message_stop' },
  ]
}

function emptied(block: Block): object {
  if (block.type === 'text') return { type: 'text', text: '' }
  return block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} }
}

function deltasOf(block: Block): object[] {
  if (block.type === 'text') return halves(block.text).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'tool_use') {
    const pieces = halves(JSON.stringify(block.input))
    return ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  }
  return [
    ...halves(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ]
}

/** Splits a text, so that no client can rely on whole deltas. */
export const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)]
