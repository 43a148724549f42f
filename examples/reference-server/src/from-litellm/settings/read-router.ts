import type { Alias } from '../models/build-routes.ts'
import { type FallbackList, type FallbackName, readFallbacks, readNames } from '../models/fallback-lists.ts'
import { wholeNumber } from '../models/read-deployment.ts'
import type { FailureDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import { Fields } from '../source/fields.ts'
import type { SourceMap, SourceNode } from '../source/source-node.ts'
import { noteKeys } from './notes.ts'
import { routerNotes } from './router-notes.ts'

export interface RouterDraft {
  readonly pick: 'latency' | 'cost' | undefined
  readonly aliases: readonly Alias[]
  readonly fallbacks: readonly FallbackList[]
  readonly defaults: readonly FallbackName[]
  readonly general: readonly FailureDraft[]
  readonly timeouts: { readonly total_seconds?: number; readonly first_byte_seconds?: number }
  readonly retries: { readonly retries?: number; readonly backoff_ms?: number }
  readonly circuit: { readonly failures?: number; readonly cool_down_seconds?: number }
}

const MOST_SECONDS = 2_147_483

/** Reads `router_settings`, and the keys that LiteLLM also reads in `litellm_settings`. The former have precedence. */
export function readRouter(router: SourceMap | undefined, litellm: SourceMap | undefined, ledger: Ledger): RouterDraft {
  const sections = [router, litellm].flatMap((section) => (section ? [new Fields(section, ledger)] : []))
  const where = (...names: readonly string[]): { readonly fields: Fields; readonly name: string } | undefined => {
    const all = sections.flatMap((fields) =>
      names.filter((name) => fields.node(name)).map((name) => ({ fields, name })),
    )
    const [first, ...others] = all
    for (const { fields, name } of others) {
      const node = fields.node(name)
      if (node) ledger.note(node, 'not needed', 'Another key sets the same, and has precedence.')
    }
    return first
  }
  const number = (names: readonly string[], least: number, most: number): number | undefined => {
    const found = where(...names)
    return found?.fields.number(found.name, least, most)
  }
  const whole = (name: string, least: number, most: number): number | undefined => {
    const found = where(name)
    return found && wholeNumber(found.fields, name, least, most)
  }
  const node = (name: string): SourceNode | undefined => {
    const found = where(name)
    return found?.fields.node(name)
  }
  const differs = (name: string, text: string): void => {
    for (const fields of sections) {
      const found = fields.node(name)
      if (found && !ledger.isReported(found)) ledger.note(found, 'differs', text)
    }
  }

  const contextLists = readFallbacks(node('context_window_fallbacks'), 'context_length', ledger)
  const refusalLists = readFallbacks(node('content_policy_fallbacks'), 'refusal', ledger)
  const defaultsNode = node('default_fallbacks')
  const total = number(['timeout', 'request_timeout'], 0.001, MOST_SECONDS)
  const firstByte = number(['stream_timeout'], 0.001, MOST_SECONDS)
  const retries = whole('num_retries', 0, 100)
  if (retries !== undefined)
    differs('num_retries', 'The retries are those of each upstream. Then the next target or fallback is tried.')
  const wait = number(['retry_after'], 0, MOST_SECONDS)
  const failures = whole('allowed_fails', 0, 1_000_000)
  if (failures !== undefined)
    differs('allowed_fails', 'The circuit opens after so many failures in a row, not in a minute.')
  const coolDown = number(['cooldown_time'], 0.001, MOST_SECONDS)

  const draft: RouterDraft = {
    pick: readPick(
      sections.find((fields) => fields.node('routing_strategy')),
      ledger,
    ),
    aliases: readAliases(node('model_group_alias'), ledger),
    fallbacks: [...readFallbacks(node('fallbacks'), 'error', ledger), ...contextLists, ...refusalLists],
    defaults: defaultsNode ? readNames(defaultsNode, ledger) : [],
    general: [
      'error',
      'rate_limit',
      ...(contextLists.length === 0 ? (['context_length'] as const) : []),
      ...(refusalLists.length === 0 ? (['refusal'] as const) : []),
    ],
    timeouts: {
      ...(total === undefined ? {} : { total_seconds: total }),
      ...(firstByte === undefined ? {} : { first_byte_seconds: firstByte }),
    },
    retries: {
      ...(retries === undefined ? {} : { retries }),
      ...(wait === undefined || wait === 0 ? {} : { backoff_ms: Math.round(wait * 1000) }),
    },
    circuit: {
      ...(failures === undefined ? {} : { failures: failures + 1 }),
      ...(coolDown === undefined ? {} : { cool_down_seconds: coolDown }),
    },
  }
  for (const { map } of sections) noteKeys(map, routerNotes, ledger)
  return draft
}

function readPick(fields: Fields | undefined, ledger: Ledger): RouterDraft['pick'] {
  const strategy = fields?.literal('routing_strategy')
  const node = fields?.node('routing_strategy')
  if (strategy === undefined || !node || strategy === 'simple-shuffle') return undefined
  if (strategy === 'latency-based-routing') return 'latency'
  if (strategy === 'cost-based-routing') return 'cost'
  if (['least-busy', 'usage-based-routing', 'usage-based-routing-v2'].includes(strategy)) {
    ledger.note(
      node,
      'differs',
      'The gateway draws targets by weight, and leaves out those that refuse or fail. Where speed matters, set `pick: latency`.',
    )
  } else ledger.note(node, 'left out', 'The gateway draws targets by `weight`, `latency` or `cost`.')
  return undefined
}

function readAliases(node: SourceNode | undefined, ledger: Ledger): readonly Alias[] {
  if (node === undefined) return []
  if (node.kind !== 'map') {
    ledger.note(node, 'left out', 'The value must be a map of names.')
    return []
  }
  return [...node.entries].flatMap(([name, part]): readonly Alias[] => {
    const fields = part.kind === 'map' ? new Fields(part, ledger) : undefined
    if (!fields) ledger.use(part)
    const hidden = fields?.flag('hidden')
    const hiddenNode = fields?.node('hidden')
    if (hidden && hiddenNode)
      ledger.note(
        hiddenNode,
        'left out',
        'All names are listed that a key may use. Leave this one out of the `models` of keys.',
      )
    const target = fields ? fields.literal('model') : part.kind === 'value' ? part.value : undefined
    if (typeof target === 'string') return [{ name, target, node: part }]
    ledger.note(part, 'left out', 'An alias must name a model.')
    return []
  })
}
