import { type GatewayOptions, moderationGuardrail, patternsGuardrail } from '@trivium/gateway-core'
import type { Guardrail } from '@trivium/gateway-core/ports'
import type { GuardrailSection } from '../schema/guardrails.ts'
import { patternsOf } from './patterns-of.ts'

/** Returns the option that `guardrails` stands for. */
export function guardrailsOption(section: readonly GuardrailSection[] | undefined): Partial<GatewayOptions> {
  if (section === undefined) return {}
  const counts = new Map<string, number>()
  return {
    guardrails: section.map((guardrail) => {
      const count = (counts.get(guardrail.kind) ?? 0) + 1
      counts.set(guardrail.kind, count)
      return guardrailOf(guardrail, guardrail.id ?? (count === 1 ? guardrail.kind : `${guardrail.kind}-${count}`))
    }),
  }
}

function guardrailOf(section: GuardrailSection, id: string): Guardrail {
  const { on, action } = section
  if (section.kind === 'moderation') {
    const { model, categories, thresholds, on_failure: onFailure } = section
    return moderationGuardrail({
      id,
      on,
      action,
      model,
      ...(categories && { categories }),
      ...(thresholds && { thresholds }),
      ...(onFailure && { onFailure }),
    })
  }
  const { names, expressions } = patternsOf(section.patterns ?? [])
  return patternsGuardrail({
    id,
    on,
    action,
    names,
    expressions: { ...expressions, ...section.expressions },
    ...(section.words && { words: section.words }),
  })
}
