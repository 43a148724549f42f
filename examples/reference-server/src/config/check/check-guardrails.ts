import type { Mistake } from '../read/mistakes.ts'
import type { Sections } from '../schema/sections.ts'
import { modelMistake } from './check-models.ts'
import type { UpstreamIds } from './upstream-ids.ts'

/** Finds guardrails that check for nothing, whose id another one has, and whose model does not exist. */
export function guardrailMistakes(
  guardrails: NonNullable<Sections['guardrails']>,
  upstreams: UpstreamIds,
  names: readonly string[],
): readonly Mistake[] {
  const ids = guardrails.map(({ id }) => id)
  return guardrails.flatMap((guardrail, index): readonly Mistake[] => {
    const path = ['guardrails', index]
    const { id, kind } = guardrail
    if (id !== undefined && ids.indexOf(id) < index) {
      return [{ path: [...path, 'id'], message: 'is the id of another guardrail' }]
    }
    if (kind === 'patterns') {
      const { patterns = [], expressions = {}, words = [] } = guardrail
      const count = patterns.length + Object.keys(expressions).length + words.length
      return count > 0 ? [] : [{ path, message: 'must have patterns, expressions or words' }]
    }
    const wrong = names.includes(guardrail.model) ? undefined : modelMistake(guardrail.model, upstreams, names)
    return wrong ? [{ path: [...path, 'model'], ...wrong }] : []
  })
}
