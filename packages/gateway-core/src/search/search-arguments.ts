import * as v from 'valibot'
import { callSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Search } from './search.ts'
import {
  engineSchema,
  maxResultsSchema,
  regionAction,
  safeSearchSchema,
  searchTextSchema,
  searchTypeSchema,
} from './search-bounds.ts'

const request = v.object({
  text: searchTextSchema,
  engine: v.optional(engineSchema),
  type: searchTypeSchema,
  maxResults: maxResultsSchema,
  region: v.pipe(v.string(), regionAction),
  safeSearch: safeSearchSchema,
})

/** What the methods of {@link Search} take. */
export const searchArguments: ArgumentSchemas<Search> = { search: [callSchema, request] }
