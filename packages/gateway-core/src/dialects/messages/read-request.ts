import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { ConversationRequest, Turn } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { JsonAllowance } from '../json-allowance.ts'
import { listOr, objectOr } from '../json-values.ts'
import { unknownMembers } from '../requests/known-members.ts'
import { Seals } from '../seals.ts'
import { documentCitations } from './citations.ts'
import { given } from './fields.ts'
import { known } from './known-members.ts'
import { blocksIn, inputPart, outputParts, type ReadBounds, toolResult } from './read-blocks.ts'
import { textPart } from './read-parts.ts'
import { readFormat, readSettings, unknownFormat } from './read-settings.ts'
import { readTool, readToolChoice } from './read-tools.ts'

/** Reads a request of the Messages API. */
export function readRequest(body: JsonObject): ConversationRequest {
  const tools = listOr(body.tools).map((tool, index) => readTool(objectOr(tool), `tools[${index}]`))
  const further = furtherFields(body)
  const bounds = { seals: new Seals(), inputs: new JsonAllowance() }
  const turns = listOr(body.messages).flatMap((message, index) => turnsOf(message, index, bounds))
  bounds.seals.refuseExcess()
  const cited = documentCitations(body.messages)
  const { task_budget: budget, ...output } = furtherOutput(body.output_config)
  const listed = { ...unknownMembers(body, known), ...cited, ...given('output_config.task_budget', budget) }
  const hints = [...Object.keys(further).filter((name) => hinted.has(name)), ...Object.keys(listed)]
  return {
    dialect: 'messages',
    stream: body.stream === true,
    turns: [...systemTurn(body.system, 'system'), ...turns],
    tools,
    ...readToolChoice(body.tool_choice, tools),
    ...given('format', readFormat(body)),
    settings: readSettings(body),
    names,
    extra: { ...further, ...listed, ...prefixed('output_config', { ...output, ...unknownFormat(body) }) },
    ...(hints.length > 0 ? { hints } : {}),
  }
}

const names: ConversationRequest['names'] = {
  turns: 'messages',
  stream: 'stream',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
  format: 'output_config.format',
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop_sequences',
  user: 'metadata.user_id',
  serviceTier: 'service_tier',
  reasoning: 'thinking',
}

const read: ReadonlySet<string> = new Set(
  (
    'model messages system tools tool_choice max_tokens temperature top_p top_k stop_sequences stream metadata ' +
    'service_tier thinking output_config output_format timeout'
  ).split(' '),
)

/** Fields that change cost, speed or bookkeeping, and not the meaning of an answer. */
const hinted: ReadonlySet<string> = new Set([
  'betas',
  'cache_control',
  'context_management',
  'diagnostics',
  'speed',
  'user_profile_id',
])

const furtherFields = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !read.has(name) && !isEmpty(value)))

/** Returns the members of `output_config` without a place in the inner form. */
function furtherOutput(config: unknown): JsonObject {
  const { effort: _, format: __, ...further } = objectOr(config)
  return Object.fromEntries(Object.entries(further).filter(([, value]) => !isEmpty(value)))
}

const prefixed = (prefix: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]))

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

function systemTurn(content: unknown, at: string): readonly Turn[] {
  const parts = blocksIn(content, at).flatMap(([block, place]) => textPart(block, place))
  return parts.length === 0 ? [] : [{ role: 'system', content: parts, at }]
}

function turnsOf(value: unknown, index: number, bounds: ReadBounds): readonly Turn[] {
  const { role, content } = objectOr(value)
  const at = `messages[${index}]`
  if (role === 'system') return systemTurn(content, at)
  if (role !== 'assistant') return userTurns(content, at)
  const parts: readonly OutputPart[] = outputParts(content, `${at}.content`, bounds)
  return parts.length === 0 ? [] : [{ role: 'assistant', content: parts, at }]
}

/** Results of tools come first, as other dialects need them right after their calls. */
function userTurns(content: unknown, at: string): readonly Turn[] {
  const blocks = blocksIn(content, `${at}.content`)
  const results = blocks.filter(([{ type }]) => type === 'tool_result')
  const parts = blocks
    .filter(([{ type }]) => type !== 'tool_result')
    .flatMap(([block, place]) => inputPart(block, place))
  return [
    ...results.map(([block, place]) => toolResult(block, place)),
    ...(parts.length === 0 ? [] : [{ role: 'user' as const, content: parts, at }]),
  ]
}
