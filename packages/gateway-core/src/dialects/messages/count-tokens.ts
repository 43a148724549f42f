import type { JsonObject } from '../dialect.ts'
import { TOKENS_PER_ATTACHMENT, TOKENS_PER_MESSAGE } from './estimate-input.ts'
import { type PromptTexts, promptTexts } from './prompt-texts.ts'

/** The characters that the tokenizer gets in one call. Its cost grows by the square for a text without spaces. */
const CHUNK = 256
/** The chunks between which other requests are served: some 20 ms at most. */
const CHUNKS_AT_ONCE = 16
/** The characters that are counted. The tokens of further ones are taken in proportion. */
const MOST_COUNTED = 2 ** 19

/** Counts the input tokens of a request of messages like {@link countPrompt}. */
export const countTokens = (body: JsonObject): Promise<number> => countPrompt(promptTexts(body))

/**
 * Counts the input tokens of a prompt by a public tokenizer, for upstreams that do not count. It is an
 * estimate: each model has a tokenizer of its own, images and documents count as 800 tokens, and characters beyond the first
 * 524,288 in proportion. The tokenizer is loaded at the first call.
 */
export async function countPrompt({ texts, messages, attachments }: PromptTexts): Promise<number> {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  const count = await loadedTokenizer()
  let characters = 0
  let tokens = 0
  let chunks = 0
  for (const text of texts) {
    for (let from = 0; from < text.length && characters < MOST_COUNTED; from += CHUNK) {
      const chunk = text.slice(from, from + CHUNK)
      characters += chunk.length
      tokens += count(chunk)
      chunks += 1
      if (chunks % CHUNKS_AT_ONCE === 0) await nextTurn()
    }
  }
  const all = characters < total ? Math.ceil((tokens / characters) * total) : tokens
  return all + messages * TOKENS_PER_MESSAGE + attachments * TOKENS_PER_ATTACHMENT
}

type Tokenizer = (text: string) => number

let tokenizer: Promise<Tokenizer> | undefined

async function loadedTokenizer(): Promise<Tokenizer> {
  tokenizer ??= load()
  try {
    return await tokenizer
  } catch (thrown) {
    tokenizer = undefined
    throw thrown
  }
}

/** Loads its table first and its code in a later turn, as either takes some 50 ms. */
async function load(): Promise<Tokenizer> {
  await import('gpt-tokenizer/bpeRanks/cl100k_base')
  await nextTurn()
  const { countTokens: countText, setMergeCacheSize } = await import('gpt-tokenizer/encoding/cl100k_base')
  // A cache would keep texts of clients in memory.
  setMergeCacheSize(0)
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => countText(text, options)
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
