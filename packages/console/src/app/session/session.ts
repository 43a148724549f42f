import { type Client, createClient, expectOk } from '@trivium/http-client'
import { consoleContract } from '../../routes/console-contract.ts'
import { baseUrlOf } from './console-place.ts'

export type ConsoleClient = Client<typeof consoleContract>
export type Host = Awaited<ReturnType<typeof readHost>>

/** Someone who proved to be the admin. */
export interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly console: ConsoleClient
  readonly host: Host
}

/** `omit`: the browser would ask for a password of its own at every 401. */
export const pageFetch = (url: string, request: RequestInit): Promise<Response> =>
  fetch(url, { ...request, credentials: 'omit' })

/** @throws RefusalError where the password is not the admin's */
export async function openSession(password: string): Promise<Session> {
  const bytes = new TextEncoder().encode(`admin:${password}`)
  const headers = { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
  const console = createClient(consoleContract, { baseUrl: baseUrlOf('.'), headers, fetch: pageFetch })
  return { headers, console, host: await readHost(console) }
}

const readHost = (console: ConsoleClient) => expectOk(console.getHost())
