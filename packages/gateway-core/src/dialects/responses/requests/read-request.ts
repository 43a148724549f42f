import { missingParameter } from '../../../providers/refused-parameter.ts'
import type { ConversationRequest, ConversationTool } from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { booleanOf, objectOf, present } from '../../json-values.ts'
import { unknownMembers } from '../../requests/known-members.ts'
import { fileCitations } from './file-citations.ts'
import { known } from './known-members.ts'
import { namespaceDescriptions } from './namespace-descriptions.ts'
import { phases } from './phases.ts'
import { readTurns } from './read-input.ts'
import { readFormat, readSettings, unknownFormat } from './read-settings.ts'
import { isSearchLimit, readToolChoice, readTools } from './read-tools.ts'

const names = {
  turns: 'input',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'text.format',
  stream: 'stream',
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  logProbabilities: 'top_logprobs',
  reasoning: 'reasoning',
  'reasoning.summary': 'reasoning.summary',
  'reasoning.encrypted': 'include',
  verbosity: 'text.verbosity',
  user: 'user',
  safetyIdentifier: 'safety_identifier',
  metadata: 'metadata',
  serviceTier: 'service_tier',
  promptCacheKey: 'prompt_cache_key',
  promptCacheRetention: 'prompt_cache_retention',
  store: 'store',
  cacheControl: 'prompt_cache_breakpoint',
}

const namesOf = ({ top_logprobs: most }: JsonObject): typeof names =>
  most ? names : { ...names, logProbabilities: 'include' }

/** Fields that have a place in the inner form, or that the gateway resolves itself. */
const read: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning', 'include'],
  ...['max_output_tokens', 'temperature', 'top_p', 'top_logprobs', 'user', 'safety_identifier', 'metadata'],
  ...['service_tier', 'prompt_cache_key', 'prompt_cache_retention', 'store', 'previous_response_id', 'conversation'],
  ...['background', 'stream', 'stream_options', 'timeout'],
])

/** Fields that do not change the meaning of an answer. */
const hintNames: ReadonlySet<string> = new Set([
  'client_metadata',
  // Anthropic's field of this name has other edits.
  'context_management',
  'prompt_cache_options',
  'truncation',
])

/**
 * Reads a request for responses.
 *
 * @throws ProviderFailure for one without input. What it continues is in its input by then.
 */
export function readRequest(body: JsonObject): ConversationRequest {
  // A prompt that the upstream stores is refused by its own name.
  if (body.input == null && body.prompt == null) throw missingParameter('input')
  const tools = readTools(body)
  const set = Object.entries(body).filter(([name, value]) => !isDefault(name, value, tools))
  const hinted = {
    ...namespaceDescriptions(body),
    ...unknownMembers(body, known),
    ...fileCitations(body),
    ...phases(body),
  }
  const hints = [...set.flatMap(([name]) => (hintNames.has(name) ? [name] : [])), ...Object.keys(hinted)]
  return {
    dialect: 'responses',
    stream: body.stream === true,
    turns: readTurns(body),
    tools,
    ...present({
      toolChoice: readToolChoice(body.tool_choice),
      parallelToolCalls: booleanOf(body.parallel_tool_calls),
      format: readFormat(body.text),
      hints: hints.length > 0 ? hints : undefined,
    }),
    settings: readSettings(body),
    names: namesOf(body),
    extra: { ...Object.fromEntries(set), ...extraReasoning(body.reasoning), ...unknownFormat(body.text), ...hinted },
  }
}

function isDefault(name: string, value: unknown, tools: readonly ConversationTool[]): boolean {
  if (value === undefined || value === null || read.has(name)) return true
  if (name === 'truncation') return value === 'disabled'
  return name === 'max_tool_calls' && isSearchLimit(tools)
}

/** The modes of reasoning that only OpenAI's own models have. */
function extraReasoning(reasoning: unknown): JsonObject {
  const mode = objectOf(reasoning)?.mode
  return mode === undefined || mode === null || mode === 'standard' ? {} : { 'reasoning.mode': mode }
}
