export type { TcpdumpFiltersOptions } from './tcpdump-filters.ts'
export { tcpdumpFilters } from './tcpdump-filters.ts'
