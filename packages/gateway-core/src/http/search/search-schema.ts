import * as v from 'valibot'

export const searchQuerySchema = v.object({
  q: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(2000, 'must have at most 2000 characters'),
  ),
  engine: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  max_results: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(100, 'must be at most 100'),
    ),
    '10',
  ),
  type: v.exactOptional(
    v.picklist(['text', 'news', 'images', 'suggestions'], "must be 'text', 'news', 'images' or 'suggestions'"),
    'text',
  ),
  region: v.exactOptional(
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.regex(/^(?:all|[a-z]{2,3}-[a-z]{2,4})$/, "must be 'all' or a region such as 'us-en'"),
    ),
    'all',
  ),
  safesearch: v.exactOptional(v.picklist(['on', 'moderate', 'off'], "must be 'on', 'moderate' or 'off'"), 'moderate'),
})

const text = v.object({ title: v.string(), href: v.string(), body: v.string() })
const news = v.object({
  date: v.nullable(v.string()),
  title: v.string(),
  body: v.string(),
  url: v.string(),
  image: v.nullable(v.string()),
  source: v.string(),
})
const image = v.object({
  title: v.string(),
  image: v.string(),
  thumbnail: v.string(),
  url: v.string(),
  height: v.nullable(v.number()),
  width: v.nullable(v.number()),
  source: v.string(),
})
const suggestion = v.object({ phrase: v.string() })

const engine = v.string()

export const searchAnswerSchema = v.variant('type', [
  v.object({ engine, type: v.literal('text'), results: v.array(text) }),
  v.object({ engine, type: v.literal('news'), results: v.array(news) }),
  v.object({ engine, type: v.literal('images'), results: v.array(image) }),
  v.object({ engine, type: v.literal('suggestions'), results: v.array(suggestion) }),
])
