/** A lease that ends after more of the claim's own is one of a clock that was wrong. */
const LEASES = 4

/** The latest end of a lease that a claim believes: what a clock that was ahead has taken is free again. */
export const longestLease = ({ now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date }): Date =>
  new Date(now.getTime() + LEASES * (leaseUntil.getTime() - now.getTime()))
