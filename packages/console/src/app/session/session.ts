import { type Client, createClient, expectOk } from '@trivium/http-client'
import { consoleContract } from '../../routes/console-contract.ts'
import { baseUrlOf } from './console-root.ts'

export type ConsoleClient = Client<typeof consoleContract>
export type Host = Awaited<ReturnType<typeof readHost>>

/** A session with credentials that the host has accepted as the admin's. */
export interface Session {
  /** Sent with each request to the host and its services. */
  readonly headers: Readonly<Record<string, string>>
  readonly console: ConsoleClient
  readonly host: Host
}

/** Sends a request without the browser's credentials: otherwise the browser opens its password dialog at every 401. */
export const pageFetch = (url: string, request: RequestInit): Promise<Response> =>
  fetch(url, { ...request, credentials: 'omit' })

/** Opens a session with the password. @throws RefusalError when it is not the admin password */
export async function openSession(password: string): Promise<Session> {
  const bytes = new TextEncoder().encode(`admin:${password}`)
  const headers = { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
  const console = createClient(consoleContract, { baseUrl: baseUrlOf('.'), headers, fetch: pageFetch })
  return { headers, console, host: await readHost(console) }
}

const readHost = (console: ConsoleClient) => expectOk(console.getHost())
