import { invalidParameter } from '../../providers/refused-parameter.ts'
import type { ToolCallPart } from './conversation-parts.ts'
import type { ConversationRequest, ConversationToolChoice, ToolResult, Turn } from './conversation-request.ts'

/** The most tools of a translated request, those of all namespaces together. OpenAI's own limit is 128. */
const MAX_TOOLS = 4096

/** The most characters of the name of a tool or a namespace. OpenAI and Anthropic accept 128. */
const MAX_NAME = 1024

/** The most characters of the id of a call. Some upstreams put a signature into it. */
const MAX_CALL_ID = 8192

/** The most characters of all ids of calls and their results. */
const MAX_CALL_IDS = 2 ** 22

/**
 * Returns whether the id of a call is longer than what is accepted. Such ids must not be keys of a map: V8 does not hash
 * long texts, so that each is compared with all of them.
 */
export const isLongId = (id: unknown): boolean => typeof id === 'string' && id.length > MAX_CALL_ID

/**
 * Checks the number of tools, and the lengths of names and ids of calls, which are compared and replaced for another
 * dialect.
 *
 * @throws ProviderFailure that names the field
 */
export function checkTools({ tools, toolChoice, turns, names }: ConversationRequest): void {
  if (tools.length > MAX_TOOLS) {
    throw invalidParameter('tools', `A request must have at most ${MAX_TOOLS} tools with this model.`)
  }
  for (const tool of tools) {
    checkName(tool.name, tool.at)
    if ('namespace' in tool) checkName(tool.namespace, tool.at)
  }
  for (const name of namesOf(toolChoice)) checkName(name, names.toolChoice ?? 'tool_choice')
  let characters = 0
  for (const { callId, name, namespace, at } of turns.flatMap(callsOf)) {
    checkName(name, at)
    checkName(namespace, at)
    characters += callId.length
    if (isLongId(callId) || characters > MAX_CALL_IDS) throw longId(at)
  }
}

/** Returns the calls of a turn, or the one of which it is the result. */
function callsOf(turn: Turn): readonly (Partial<ToolCallPart> & Pick<ToolResult, 'callId' | 'at'>)[] {
  if (turn.role === 'tool') return [{ callId: turn.callId, at: turn.at }]
  if (turn.role !== 'assistant') return []
  return turn.content.flatMap((part) => (part.type === 'tool-call' ? [{ ...part, at: part.at ?? turn.at }] : []))
}

function checkName(name: string | undefined, at: string): void {
  if (name === undefined || name.length <= MAX_NAME) return
  throw invalidParameter(at, `'${at}' must have a name of at most ${MAX_NAME} characters with this model.`)
}

const longId = (at: string) =>
  invalidParameter(
    at,
    `'${at}' must have an id of a call of at most ${MAX_CALL_ID} characters with this model, and all of them ${MAX_CALL_IDS}.`,
  )

function namesOf(choice: ConversationToolChoice | undefined): readonly string[] {
  if (choice?.type === 'allowed') return choice.names
  return choice && 'name' in choice ? [choice.name] : []
}
