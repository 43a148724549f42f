export type { LocalDocument, LocalSearch, LocalSearchOptions } from './local-search.ts'
export { localSearch } from './local-search.ts'
