import * as v from 'valibot'

/** What a host can set of a NAT node: nothing. */
export const natSettings = v.object({})
