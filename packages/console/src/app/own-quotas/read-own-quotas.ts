import { createClient, expectOk } from '@trivium/http-client'
import { storageContract } from '@trivium/storage-core/http'
import { consoleContract } from '../../routes/console-contract.ts'
import { baseUrlOf } from '../session/console-root.ts'

const { getOwnQuotasPlace } = consoleContract
const { getSelfQuotas } = storageContract

/** Sends the cookies of the page's origin, by which a host or a proxy knows its user. */
const userFetch = (url: string, request: RequestInit): Promise<Response> =>
  fetch(url, { ...request, credentials: 'same-origin' })

/** Reads where the storage service is. @throws RefusalError where the host has none */
export const readPlace = (signal: AbortSignal) =>
  expectOk(
    createClient({ getOwnQuotasPlace }, { baseUrl: baseUrlOf('.'), fetch: userFetch }).getOwnQuotasPlace({ signal }),
  )

export interface ReadOwnQuotas {
  /** Where the storage service is, as `readPlace` returns it. */
  readonly place: string
  /** The token of the user. @default the server knows the user by other means */
  readonly token: string | undefined
  readonly signal?: AbortSignal
}

/** Reads what the user uses and may use. @throws RefusalError, such as a 401 without a user */
export function readOwnQuotas({ place, token, signal }: ReadOwnQuotas) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const storage = createClient({ getSelfQuotas }, { baseUrl: baseUrlOf(place), headers, fetch: userFetch })
  return expectOk(storage.getSelfQuotas({ ...(signal && { signal }) }))
}

export type OwnQuotas = Awaited<ReturnType<typeof readOwnQuotas>>
export type OwnQuota = OwnQuotas['records'][number]
export type OwnAmount = NonNullable<OwnQuota['space']>
export type OwnUse = NonNullable<OwnQuota['own']>
export type SharedWith = NonNullable<OwnQuota['shared_with']>
