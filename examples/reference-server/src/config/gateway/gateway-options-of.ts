import type { GatewayOptions, ModelRoute } from '@trivium/gateway-core'
import type { ModelEntry } from '../schema/models.ts'
import type { Sections } from '../schema/sections.ts'
import { guardrailsOption } from './guardrails-option.ts'
import { inCamelCase } from './in-camel-case.ts'
import { requestLogOption } from './request-log-option.ts'
import { upstreamRulesOf } from './upstream-rules-of.ts'

/** Returns the options that sections of the file stand for. */
export function gatewayOptionsOf(sections: Sections): Partial<GatewayOptions> {
  const { models, model_facts, prices, bundled_prices, timeouts, retries, circuit, cache, budgets, usage } = sections
  return {
    upstreams: upstreamRulesOf(sections.upstreams),
    ...(models && { models: valuesOf(models, modelOf) }),
    ...(model_facts && { modelFacts: valuesOf(model_facts, inCamelCase) }),
    ...(prices && { prices: valuesOf(prices, inCamelCase) }),
    ...(bundled_prices !== undefined && { bundledPrices: bundled_prices }),
    ...(timeouts && { timeouts: inCamelCase(timeouts) }),
    ...(retries && { retries: inCamelCase(retries) }),
    ...(circuit && { circuit: inCamelCase(circuit) }),
    ...(cache && { answerCache: inCamelCase(cache) }),
    ...(budgets && { budgets: inCamelCase(budgets) }),
    ...(usage && { usage: inCamelCase(usage) }),
    ...requestLogOption(sections.request_log),
    ...guardrailsOption(sections.guardrails),
    ...(sections.unchecked_requests && { uncheckedRequests: sections.unchecked_requests }),
  }
}

const valuesOf = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

function modelOf(entry: ModelEntry): string | ModelRoute {
  if (typeof entry === 'string') return entry
  const [first, ...others] = entry.targets.map((target) => (typeof target === 'string' ? { model: target } : target))
  if (!first) throw new TypeError('A route has no targets.')
  const { pick, fallbacks } = entry
  return { targets: [first, ...others], ...(pick && { pick }), ...(fallbacks && { fallbacks }) }
}
