import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { checkStrictSchema, countKey } from '../check-request.ts'
import { Refusal } from '../upstream.ts'
import type { CountRequest, MessagesRequest } from './messages-schema.ts'

type Message = CountRequest['messages'][number]

/** Keywords that Anthropic's structured outputs refuse. */
const unsupported = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['maxItems', 'uniqueItems', 'patternProperties', 'propertyNames'],
])

/** The signature of a thinking block that this upstream made. */
export const signatureOf = (thinking: string): string => createHash('sha256').update(thinking).digest('base64')

/** Refuses what Anthropic refuses beyond the shape of a request. @throws Refusal */
export function checkMessages(request: CountRequest, headers: IncomingHttpHeaders): void {
  const betas = String(headers['anthropic-beta'] ?? '')
  if (headers['anthropic-version'] === undefined) throw new Refusal('anthropic-version: header is required')
  if (headers['x-api-key'] === undefined && headers.authorization === undefined) {
    throw new Refusal('x-api-key header is required', 401)
  }
  if (request.context_management && !betas.includes('context-management-')) {
    throw new Refusal('context_management: Extra inputs are not permitted')
  }
  if (request.output_format && !betas.includes('structured-outputs-')) {
    throw new Refusal('output_format: Extra inputs are not permitted')
  }
  if (countKey(request, 'cache_control') > 4) {
    throw new Refusal('A maximum of 4 blocks with cache_control may be provided.')
  }
  checkOrder(request.messages, betas)
  checkTools(request)
  if (request.thinking?.type === 'enabled') checkThinking(request.messages)
}

/** Refuses combinations that only a request for an answer has. @throws Refusal */
export function checkAnswerOptions({ thinking, max_tokens, temperature, top_k, tool_choice }: MessagesRequest): void {
  if (thinking === undefined || thinking.type === 'disabled') return
  if (thinking.type === 'enabled' && thinking.budget_tokens >= max_tokens) {
    throw new Refusal('`max_tokens` must be greater than `thinking.budget_tokens`')
  }
  if ((temperature !== undefined && temperature !== 1) || top_k !== undefined) {
    throw new Refusal('`temperature` may only be set to 1, and `top_k` must be unset, when thinking is enabled')
  }
  if (tool_choice?.type === 'any' || tool_choice?.type === 'tool') {
    throw new Refusal('Thinking may not be enabled when tool_choice forces tool use.')
  }
}

function checkOrder(messages: readonly Message[], betas: string): void {
  const turns = messages.filter(({ role }) => role !== 'system')
  if (turns.length < messages.length && !betas.includes('mid-conversation-system-')) {
    throw new Refusal('messages: role must be one of user, assistant')
  }
  if (turns[0]?.role !== 'user') throw new Refusal('messages: first message must use the "user" role')
  let pending: readonly string[] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.role === turns[index - 1]?.role) throw new Refusal(`messages.${index}: roles must alternate`)
    const blocks = typeof turn.content === 'string' ? [] : turn.content
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
      throw new Refusal(`messages.${index}: tool_result blocks must come first`)
    }
    const [missing] = pending.filter((id) => !results.includes(id))
    if (missing !== undefined) {
      throw new Refusal(`messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks: ${missing}`)
    }
    const [unexpected] = results.filter((id) => !pending.includes(id))
    if (unexpected !== undefined) throw new Refusal(`messages.${index}: unexpected \`tool_use_id\`: ${unexpected}`)
    pending = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    if (new Set(pending).size < pending.length) throw new Refusal('messages: `tool_use` ids must be unique')
    for (const block of blocks) {
      if (block.type === 'thinking' && block.signature !== signatureOf(block.thinking)) {
        throw new Refusal(`messages.${index}: Invalid \`signature\` in \`thinking\` block`)
      }
    }
  }
}

/** With thinking, the assistant's turn that called tools begins with the thinking before it. */
function checkThinking(messages: readonly Message[]): void {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last === undefined || typeof last.content === 'string') return
  const [first] = last.content
  if (!last.content.some(({ type }) => type === 'tool_use')) return
  if (first?.type !== 'thinking' && first?.type !== 'redacted_thinking') {
    throw new Refusal(`messages: Expected \`thinking\`, but found \`${first?.type}\``)
  }
}

function checkTools({ tools = [], output_config, output_format, tool_choice }: CountRequest): void {
  const names = tools.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Refusal('tools: Tool names must be unique.')
  if (tool_choice !== undefined && tools.length === 0) throw new Refusal('tool_choice: tools are required')
  if (tool_choice?.type === 'tool' && !names.includes(tool_choice.name)) {
    throw new Refusal(`Tool '${tool_choice.name}' not found in provided tools`)
  }
  for (const tool of tools) {
    if (tool.strict === true) checkStrictSchema(tool.input_schema, `tools.${tool.name}`, unsupported)
  }
  for (const format of [output_config?.format, output_format]) {
    if (format) checkStrictSchema(format.schema, 'output_config.format.schema', unsupported)
  }
}
