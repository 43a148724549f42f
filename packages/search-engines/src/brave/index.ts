export type { BraveSearchOptions } from './brave-search.ts'
export { braveSearch } from './brave-search.ts'
