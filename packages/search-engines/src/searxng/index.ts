export type { SearxngSearchOptions } from './searxng-search.ts'
export { searxngSearch } from './searxng-search.ts'
