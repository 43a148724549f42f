import { patternNames } from '@trivium/gateway-core'
import * as v from 'valibot'
import { expression, patternOr } from './pattern.ts'
import { choice, described, optional } from './section.ts'
import { listOf, modelName, namedBy, oneOf, shortId, text, within } from './values.ts'

const on = described(
  'What is checked: the request (input), the answer (output) or both.',
  v.pipe(listOf(oneOf(['input', 'output']), 2), v.nonEmpty('must name input or output')),
)

const kind = <const Kind extends string>(name: Kind) =>
  described('patterns: names, regular expressions and words; moderation: a model for moderations.', v.literal(name))

const action = described(
  'mask: replace what is found; block: refuse the request or end the answer; report: only count it.',
  oneOf(['mask', 'block', 'report']),
)

const id = optional('The name in messages and events (the kind, with its number where there are several).', shortId)

const pattern = patternOr('A text that is meant literally goes under words or expressions.')

const patterns = choice({
  kind: kind('patterns'),
  id,
  on,
  action,
  patterns: optional(`${patternNames.join(', ')}, or regular expressions in the syntax of RE2.`, listOf(pattern, 100)),
  expressions: optional(
    'Regular expressions by their names, which replace what they match.',
    namedBy(
      v.pipe(
        v.string(),
        v.regex(/^[a-z][a-z0-9_]{0,39}$/, 'must have 1 to 40 small letters, digits and _, and begin with a letter'),
      ),
      expression,
      100,
    ),
  ),
  words: optional(
    'Words and phrases, in capitals or not.',
    listOf(v.pipe(text, v.maxLength(100, 'must have at most 100 characters')), 10_000),
  ),
})

const moderation = choice({
  kind: kind('moderation'),
  id,
  on,
  action,
  model: described('The model for moderations, as upstream/model or an alias.', modelName),
  categories: optional('The categories that count, such as violence (all).', listOf(text, 100)),
  thresholds: optional(
    'The score from which a category counts, from 0 to 1 (the decision of the model).',
    namedBy(text, within(0, 1), 100),
  ),
  on_failure: optional(
    'refuse or admit requests while the model does not answer (refuse).',
    oneOf(['refuse', 'admit']),
  ),
})

const guardrail = v.variant('kind', [patterns, moderation], (issue) => {
  if (issue.received === 'undefined') return 'is missing'
  return issue.path?.at(-1)?.key === 'kind' ? 'must be patterns or moderation' : 'must be an object'
})

export const guardrails = listOf(guardrail, 100)

export type GuardrailSection = v.InferOutput<typeof guardrail>
