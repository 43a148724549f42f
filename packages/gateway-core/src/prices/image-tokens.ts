import { familiesOf } from './bundled-models.ts'

/** Claude counts the pixels of an image that is made smaller before. */
const MOST_OF_CLAUDE = 5_000

/** 10,000 patches, each as at most 2.46 tokens. */
const MOST_OF_KNOWN = 25_000

/** `gpt-4o-mini` counts 2,833 tokens, and 5,667 for each of 8 tiles. No vendor is known to count more. */
const MOST = 48_169

const KNOWN_FAMILY = /^(?:gpt-(?!4o-mini)|o\d|chatgpt-|gemini-|grok-|mistral-|ministral-|magistral-|pixtral-|sonar)/

/** Returns tokens that an image does not exceed, regardless of its size. */
export function imageTokensOf(model: string): number {
  const [name = ''] = familiesOf(model)
  if (name.startsWith('claude-')) return MOST_OF_CLAUDE
  return KNOWN_FAMILY.test(name) ? MOST_OF_KNOWN : MOST
}
