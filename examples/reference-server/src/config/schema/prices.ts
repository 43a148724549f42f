import { described, optional, section } from './section.ts'
import { dollars, modelName, namedBy, text, whole, within } from './values.ts'

/** Prices of a million tokens. */
const tokenPrices = {
  input: optional('Dollars for a million tokens of input (0).', dollars),
  output: optional('Dollars for a million tokens of output (0).', dollars),
  cached_input: optional(
    'Dollars for a million tokens of input that the upstream reads from its cache (input).',
    dollars,
  ),
  cache_write: optional(
    'Dollars for a million tokens of input that the upstream writes to its cache (input).',
    dollars,
  ),
  cache_write_hour: optional(
    'Dollars for a million tokens of input that the upstream writes to its cache for an hour (cache_write).',
    dollars,
  ),
  reasoning: optional('Dollars for a million tokens of reasoning (output).', dollars),
  input_audio: optional('Dollars for a million tokens of sound that the model reads (input).', dollars),
  input_image: optional('Dollars for a million tokens of images that the model reads (input).', dollars),
  output_audio: optional('Dollars for a million tokens of sound that the model writes (output).', dollars),
}

const price = section({
  ...tokenPrices,
  image: optional('Dollars for each image of an answer (0).', dollars),
  images: optional(
    'Dollars for each image of an answer, by quality, size or quality/size, such as hd/1024x1792 (image).',
    namedBy(text, dollars, 100),
  ),
  request: optional('Dollars for each request that succeeds (0).', dollars),
  search: optional('Dollars for each web search by the upstream (0).', dollars),
  audio_minute: optional('Dollars for each minute of sound that is transcribed (0).', dollars),
  character: optional('Dollars for each character of a text to be spoken (0).', dollars),
  priority: optional('The factor of prices of tokens for the service tier priority (2.5).', within(0, 100)),
  flex: optional('The factor of prices of tokens for the service tier flex (1).', within(0, 100)),
  long: optional(
    'Prices of all tokens of requests with a long input (the same).',
    section({
      above: described(
        'They apply to requests with more tokens of input than this.',
        whole(1, Number.MAX_SAFE_INTEGER),
      ),
      ...tokenPrices,
    }),
  ),
})

/** Prices by upstream/model. */
export const prices = namedBy(modelName, price, 10_000)
