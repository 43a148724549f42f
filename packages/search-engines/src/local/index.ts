export type { LocalDocument, LocalImage, LocalSearch, LocalSearchOptions } from './local-search.ts'
export { localSearch } from './local-search.ts'
