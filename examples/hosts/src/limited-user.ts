import type { UserCaller } from '@trivium/http-contract'

/** A user of the host, who may call everything that is offered to users, and the gateway three times a minute. */
export const limitedUser = (id: string): UserCaller => ({ type: 'user', id, limits: { requestsPerMinute: 3 } })
