export type { DuckDuckGoSearchOptions } from './duck-duck-go-search.ts'
export { duckDuckGoSearch } from './duck-duck-go-search.ts'
