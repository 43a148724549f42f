import * as v from 'valibot'
import { described, optional, section } from './section.ts'
import { listOf, modelName, namedBy, oneOf, whole, within } from './values.ts'

const target = described(
  'A model as upstream/model, or another name of this section.',
  v.union(
    [
      modelName,
      section({
        model: described('upstream/model, or another name of this section.', modelName),
        weight: optional(
          'How often it is first, relative to the others; 0 is tried after them (1).',
          within(0, 1_000_000),
        ),
        priority: optional('Targets with a lower number are tried first (0).', whole(0, 1000)),
      }),
    ],
    'must be the id of a model, or an object with model',
  ),
)

const failureKinds = ['error', 'rate_limit', 'context_length', 'refusal'] as const

const fallback = described(
  'A model that is tried after the targets.',
  v.union(
    [
      modelName,
      section({
        model: described('upstream/model, or another name of this section.', modelName),
        on: optional('What must have failed before ([error, rate_limit]).', listOf(oneOf(failureKinds), 4)),
      }),
    ],
    'must be the id of a model, or an object with model',
  ),
)

const route = section({
  targets: described(
    'The models, of which one is first for each request and the others follow where it fails.',
    v.pipe(listOf(target, 1000), v.nonEmpty('must have at least one model')),
  ),
  pick: optional(
    'Which of the targets with the same priority is first: by weight at random, the fastest, or the cheapest (weight).',
    oneOf(['weight', 'latency', 'cost']),
  ),
  fallbacks: optional('Models that are tried after all targets, in this order.', listOf(fallback, 100)),
})

const model = described(
  'The id of another model, or a route.',
  v.union([modelName, route], 'must be the id of a model, or an object with targets'),
)

/** Additional models by their ids. */
export const models = namedBy(modelName, model, 10_000)

export type ModelEntry = v.InferOutput<typeof model>
