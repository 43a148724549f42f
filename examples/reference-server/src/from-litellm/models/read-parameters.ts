import type { ModelRules } from '../output/draft.ts'
import { type Fields, variableOf } from '../source/fields.ts'
import type { SourceNode } from '../source/source-node.ts'
import { isSecret } from './secret-names.ts'

/** Fields of chat completions that LiteLLM adds to requests. */
const chatFields = [
  'dimensions',
  'encoding_format',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'min_p',
  'modalities',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning',
  'reasoning_effort',
  'repetition_penalty',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'size',
  'stop',
  'store',
  'temperature',
  'thinking',
  'tool_choice',
  'top_k',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'voice',
] as const

/** What `messages` names fields of chat completions. */
const inMessages: Readonly<Record<string, string>> = {
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  service_tier: 'service_tier',
  stop: 'stop_sequences',
  temperature: 'temperature',
  thinking: 'thinking',
  tool_choice: 'tool_choice',
  top_k: 'top_k',
  top_p: 'top_p',
}

/** What `responses` names fields of chat completions. */
const inResponses: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_key: 'prompt_cache_key',
  safety_identifier: 'safety_identifier',
  service_tier: 'service_tier',
  store: 'store',
  temperature: 'temperature',
  top_logprobs: 'top_logprobs',
  top_p: 'top_p',
  user: 'user',
}

/** Fields that the gateway sets for no request. */
const refused = [
  'n',
  'tools',
  'stream',
  'stream_options',
  'messages',
  'input',
  'best_of',
  'functions',
  'web_search_options',
]

/** What the fields are for. */
interface ParameterTarget {
  readonly kind: 'openai' | 'anthropic' | 'ai-sdk'
  readonly speaksResponses: boolean
  /** Whether OpenAI's own models answer, of which some refuse `max_tokens`. */
  readonly isOpenAi: boolean
}

/** Reads the default fields of requests in `litellm_params`. */
export function readParameters(
  params: Fields,
  { kind, speaksResponses, isOpenAi }: ParameterTarget,
): ModelRules['parameters'] {
  const { ledger } = params
  for (const name of refused) {
    const node = params.node(name)
    if (node) ledger.note(node, 'left out', 'The gateway has no default for this field. Clients set it.')
  }
  const chat: Record<string, unknown> = {}
  const responses: Record<string, unknown> = {}
  const messages: Record<string, unknown> = {}
  const add = (name: string, node: SourceNode) => {
    const value = plainValue(node)
    if (value === undefined) {
      ledger.note(
        node,
        'left out',
        'The value holds a secret or a variable, which a default field of requests cannot have.',
      )
    } else if (kind === 'anthropic') {
      const theirs = inMessages[name]
      if (theirs === undefined) {
        ledger.note(
          node,
          'left out',
          "Anthropic's messages have no such field. Set `parameters.messages` of the model.",
        )
        return
      }
      ledger.use(node)
      messages[theirs] = theirs === 'stop_sequences' && !Array.isArray(value) ? [value] : value
    } else {
      if (isOpenAi && name === 'max_tokens' && params.node('max_completion_tokens')) {
        ledger.note(node, 'not needed', 'The limit in `max_completion_tokens` counts.')
        return
      }
      ledger.use(node)
      chat[name === 'max_tokens' && isOpenAi ? 'max_completion_tokens' : name] = value
      const theirs = inResponses[name]
      if (speaksResponses && theirs !== undefined) responses[theirs] = value
      if (speaksResponses && name === 'reasoning_effort') responses.reasoning = { effort: value }
    }
  }
  const known = new Set<string>()
  for (const name of chatFields) {
    const node = params.node(name)
    if (!node) continue
    known.add(name)
    add(name, node)
  }
  const extra = params.node('extra_body')
  if (extra?.kind === 'map') {
    for (const [name, node] of extra.entries) {
      if (known.has(name))
        ledger.note(node, 'left out', 'The field is set outside `extra_body`, too. That value counts.')
      else if (refused.includes(name) || name === 'model')
        ledger.note(node, 'left out', 'The gateway has no default for this field. Clients set it.')
      else if (kind === 'openai') add(name, node)
      else ledger.note(node, 'left out', "Only upstreams with OpenAI's interface get additional fields.")
    }
    if (extra.entries.size === 0) ledger.use(extra)
  } else if (extra) ledger.note(extra, 'left out', 'The value must be a map.')
  const all = {
    ...(Object.keys(chat).length > 0 && { chat }),
    ...(Object.keys(responses).length > 0 && { responses }),
    ...(Object.keys(messages).length > 0 && { messages }),
  }
  return Object.keys(all).length > 0 ? all : undefined
}

/** Returns a value as it is. `undefined` where any part of it is a secret or a variable. */
function plainValue(node: SourceNode, name = ''): unknown {
  if (node.kind === 'value') {
    const { value } = node
    return typeof value === 'string' && (variableOf(value) !== undefined || isSecret(name, value)) ? undefined : value
  }
  if (node.kind === 'list') {
    const items = node.items.map((item) => plainValue(item, name))
    return items.includes(undefined) ? undefined : items
  }
  const entries = [...node.entries].map(([key, part]) => [key, plainValue(part, key)] as const)
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}
