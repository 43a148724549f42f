import { optional, section } from './section.ts'
import { modelName, namedBy, whole } from './values.ts'

const facts = section({
  context_length: optional('The most tokens of a request and its answer (as bundled).', whole(1, 1_000_000_000)),
  max_output_tokens: optional('The most tokens of an answer (as bundled).', whole(1, 1_000_000_000)),
})

/** Facts by upstream/model or alias. */
export const modelFacts = namedBy(modelName, facts, 10_000)
