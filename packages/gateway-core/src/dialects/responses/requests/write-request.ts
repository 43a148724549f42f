import type { ConversationRequest, Turn, WebSearchTool } from '../../conversation/conversation-request.ts'
import { refuseChoiceWithoutTools } from '../../conversation/required-tool.ts'
import { unsupportedField } from '../../conversation/unsupported-field.ts'
import type { JsonObject } from '../../dialect.ts'
import { present } from '../../json-values.ts'
import type { WriteRequestOptions, WrittenRequest } from '../../translation.ts'
import { InputWriter } from './write-input.ts'
import { listHints, refuseSettings, writeSettings } from './write-settings.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

/** Writes a request for responses that the upstream does not keep. */
export function writeRequest(request: ConversationRequest, options: WriteRequestOptions): WrittenRequest {
  const { customTools, model } = options
  const omitted = new Set<string>(request.dialect === 'responses' ? [] : request.hints)
  refuseSettings(request)
  listHints(request, omitted)
  const extra = ownExtra(request)
  const { instructions, turns } = splitInstructions(request.turns)
  const input = new InputWriter(request, customTools, omitted)
  for (const turn of turns) input.add(turn)
  const tools = writeTools(request, customTools, omitted)
  const choice = writeToolChoice(request, customTools)
  if (tools.length === 0) refuseChoiceWithoutTools(request)
  const body = present({
    model,
    instructions,
    input: input.items,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: tools.length > 0 ? choice : undefined,
    parallel_tool_calls: tools.length > 0 ? request.parallelToolCalls : undefined,
    max_tool_calls: request.tools.find((tool): tool is WebSearchTool => tool.type === 'web-search')?.maxUses,
    store: false,
    stream: request.stream || undefined,
  })
  const settings = writeSettings(request, omitted)
  return { body: { ...extra, ...body, ...settings }, omitted: [...omitted] }
}

/** A system text at the beginning is the instructions. Further ones, several parts, and all there is, are messages. */
function splitInstructions(turns: readonly Turn[]): { instructions: string | undefined; turns: readonly Turn[] } {
  const [first, ...others] = turns
  const [part, second] = first?.role === 'system' && !first.developer ? first.content : []
  if (others.length === 0 || !part || second || part.text === '' || part.cacheControl !== undefined)
    return { instructions: undefined, turns }
  return { instructions: part.text, turns: others }
}

/** @throws ProviderFailure for a field that only another dialect has */
function ownExtra({ dialect, extra, hints = [] }: ConversationRequest): JsonObject {
  if (dialect === 'responses') {
    // Names with a dot are those of members.
    return Object.fromEntries(Object.entries(extra).filter(([name]) => !hints.includes(name) || !name.includes('.')))
  }
  const refused = Object.keys(extra).find((name) => !hints.includes(name))
  if (refused !== undefined) throw unsupportedField({ dialect }, refused, 'responses')
  return {}
}
