import { CallArguments } from '../call-arguments.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'
import type { WriteRequestOptions, WrittenRequest } from '../translation.ts'
import { withBreakpoints } from './cache-breakpoints.ts'
import { CallIds } from './call-ids.ts'
import { omissions } from './omissions.ts'
import { toolNames } from './tool-names.ts'
import { type BlockContext, plain } from './write-blocks.ts'
import { writeExtra } from './write-extra.ts'
import { answerInstruction, type WrittenFormat, writeFormat } from './write-format.ts'
import { isThinking, type WrittenReasoning, writeReasoning } from './write-reasoning.ts'
import {
  listHints,
  refuseUnsupported,
  writeSampling,
  writeServiceTier,
  writeStop,
  writeUser,
} from './write-settings.ts'
import { type WrittenTools, writeTools } from './write-tools.ts'
import { type OpenTurn, writeTurns } from './write-turns.ts'

/**
 * Writes a request of the Messages API.
 *
 * @throws ProviderFailure for what would change the answer and that the Messages API does not have
 */
export function writeRequest(request: ConversationRequest, options: WriteRequestOptions): WrittenRequest {
  refuseUnsupported(request)
  const omitted = omissions()
  const context: BlockContext = {
    request,
    names: toolNames(request),
    omitted,
    callArguments: new CallArguments(),
    callIds: new CallIds(),
  }
  listHints(request, omitted)
  const { thinking: ownThinking, output_config: ownConfig, ...extra } = writeExtra(request, omitted)
  const maxTokens = request.settings.maxOutputTokens ?? options.defaultMaxTokens
  const turns = writeTurns(request.turns, context)
  const offered = writeTools(context)
  const format = writeFormat(request.format, options.model)

  const wanted = reasoningWith(ownThinking, writeReasoning(request.settings, options, maxTokens))
  const reasoning = possibleReasoning(wanted, { choice: offered.choice, turns: turns.turns })
  if (reasoning !== wanted) omitted.add(request.names.reasoning ?? 'reasoning_effort')
  const thinks = isThinking(reasoning)

  const { tools, choice } = withAnswerTool(offered, format, thinks)
  const system = format.kind === 'tool' && thinks ? [...turns.system, answerInstruction] : turns.system
  const parts = { tools, system, turns: turns.turns }
  const marked = options.cacheBreakpoints ? withBreakpoints(parts) : parts
  const config = {
    ...(reasoning.effort === undefined ? {} : { effort: reasoning.effort }),
    ...(format.kind === 'native' ? { format: format.format } : {}),
    ...objectOr(ownConfig),
  }
  return {
    body: {
      ...extra,
      model: options.model,
      max_tokens: maxTokens,
      ...(marked.system.length > 0 ? { system: plain(marked.system) } : {}),
      messages: marked.turns.map(({ role, content }) => ({ role, content: plain(content) })),
      ...writeSampling(request, { model: options.model, thinks, omitted }),
      ...writeStop(request, omitted),
      ...(marked.tools.length > 0 ? { tools: marked.tools } : {}),
      ...(marked.tools.length > 0 && choice ? { tool_choice: choice } : {}),
      ...writeUser(request, omitted),
      ...(Object.keys(config).length > 0 ? { output_config: config } : {}),
      ...(reasoning.thinking ? { thinking: reasoning.thinking } : {}),
      ...writeServiceTier(request, omitted),
      ...(request.stream ? { stream: true } : {}),
    },
    omitted: omitted.names,
  }
}

/** The client's own `thinking` overrides its effort. */
const reasoningWith = (own: unknown, written: WrittenReasoning): WrittenReasoning =>
  own === undefined ? written : { ...written, thinking: objectOr(own) }

/** Leaves out thinking that Anthropic refuses: with a forced tool, and amid calls whose reasoning is unknown. */
function possibleReasoning(
  wanted: WrittenReasoning,
  { choice, turns }: { readonly choice: JsonObject | undefined; readonly turns: readonly OpenTurn[] },
): WrittenReasoning {
  if (!isThinking(wanted)) return wanted
  const isForced = choice?.type === 'any' || choice?.type === 'tool'
  const isBroken = wanted.thinking?.type === 'enabled' && hasUnknownReasoning(turns)
  if (!isForced && !isBroken) return wanted
  return wanted.effort === undefined ? {} : { effort: wanted.effort }
}

/** Returns whether the results at the end answer calls before which no thinking is known. */
function hasUnknownReasoning(turns: readonly OpenTurn[]): boolean {
  const isAnswering = turns.at(-1)?.content.some(({ type }) => type === 'tool_result') === true
  const caller = turns.at(-2)
  if (!isAnswering || caller?.role !== 'assistant') return false
  const first = caller.content[0]?.type
  return first !== 'thinking' && first !== 'redacted_thinking'
}

/** Adds the tool that takes the answer, and forces a call where the model does not think. */
function withAnswerTool(offered: WrittenTools, format: WrittenFormat, thinks: boolean): WrittenTools {
  if (format.kind !== 'tool') return offered
  const mayCall = offered.choice?.type !== 'none' && offered.tools.length > 0
  const tools = mayCall ? [...offered.tools, format.tool] : [format.tool]
  if (thinks) return { tools, choice: { type: 'auto' } }
  if (offered.choice?.type === 'tool') return { tools, choice: offered.choice }
  if (mayCall) return { tools, choice: { ...offered.choice, type: 'any' } }
  return { tools, choice: { type: 'tool', name: format.tool.name, disable_parallel_tool_use: true } }
}
