import * as v from 'valibot'
import { wholeTextWithin } from '../../bounds.ts'
import {
  engineSchema,
  MAX_RESULTS,
  regionAction,
  safeSearchSchema,
  searchTextSchema,
  searchTypeSchema,
} from '../../search/search-bounds.ts'
import type { SchemaOf } from '../fields.ts'

export const searchQuerySchema = v.object({
  q: v.pipe(v.string(), v.trim(), searchTextSchema),
  engine: v.exactOptional(engineSchema),
  max_results: v.exactOptional(wholeTextWithin(1, MAX_RESULTS), '10'),
  type: v.exactOptional(searchTypeSchema, 'text'),
  region: v.exactOptional(v.pipe(v.string(), v.toLowerCase(), regionAction), 'all'),
  safesearch: v.exactOptional(safeSearchSchema, 'moderate'),
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

const searchAnswer = v.variant('type', [
  v.object({ engine, type: v.literal('text'), results: v.array(text) }),
  v.object({ engine, type: v.literal('news'), results: v.array(news) }),
  v.object({ engine, type: v.literal('images'), results: v.array(image) }),
  v.object({ engine, type: v.literal('suggestions'), results: v.array(suggestion) }),
])

export interface SearchAnswerSchema extends SchemaOf<typeof searchAnswer> {}

export const searchAnswerSchema: SearchAnswerSchema = searchAnswer
