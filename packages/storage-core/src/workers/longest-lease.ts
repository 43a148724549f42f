/** In lengths of the claim's own lease. A longer lease was taken with a wrong clock. */
const MAX_LEASES = 4

/** The latest end of a lease that a claim accepts, four of its own leases after `now`. Later ones had a wrong clock. */
export const longestLease = ({ now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date }): Date =>
  new Date(now.getTime() + MAX_LEASES * (leaseUntil.getTime() - now.getTime()))
