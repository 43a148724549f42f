import { moderationGuardrail, patternsGuardrail } from '@trivium/gateway-core'
import { guardrailConformance } from '@trivium/gateway-core/conformance'
import { describe } from 'vitest'

const harmful = 'The key is sk-ant-api03-abcdefghijklmnop, keep it.'
const harmless = 'Nothing to see here.'

describe.each(['block', 'mask', 'report'] as const)('patterns with the action %s', (action) => {
  guardrailConformance(() => ({
    guardrail: patternsGuardrail({
      names: ['secret'],
      expressions: { order: 'ORD-[0-9]+' },
      words: ['keep it'],
      action,
    }),
    harmless,
    harmful,
  }))
})

describe.each(['block', 'mask', 'report'] as const)('moderation with the action %s', (action) => {
  guardrailConformance(() => ({
    guardrail: moderationGuardrail({ model: 'up/omni', action }),
    harmless,
    harmful,
    moderate: (text) => {
      const flagged = text.includes('sk-ant')
      return { flagged, categories: { illicit: flagged }, scores: { illicit: flagged ? 1 : 0 } }
    },
  }))
})
