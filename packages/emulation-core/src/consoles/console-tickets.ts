import { type InstanceReference, referenceKey } from '../instances/instance.ts'

/** Replaces credentials for a client that cannot send any. Opens one console, once. */
export interface ConsoleTicket {
  /** 256 random bits as 64 hexadecimal digits. Only their hash is kept. */
  readonly ticket: string
  readonly expiresAt: Date
}

export interface ConsoleTickets {
  issue(reference: InstanceReference): Promise<ConsoleTicket>
  /** Uses up the ticket in any case. @returns whether it was for this console, not used before and not expired */
  redeem(reference: InstanceReference, ticket: string): Promise<boolean>
}

export interface ConsoleTicketsOptions {
  readonly now: () => Date
  readonly lifetimeSeconds: number
  /** The most tickets. The oldest is removed when there are more. */
  readonly limit: number
}

export function createConsoleTickets({ now, lifetimeSeconds, limit }: ConsoleTicketsOptions): ConsoleTickets {
  const issued = new Map<string, { readonly key: string; readonly end: number }>()

  return {
    issue: async (reference) => {
      const ticket = toHexadecimal(crypto.getRandomValues(new Uint8Array(32)))
      const end = now().getTime() + lifetimeSeconds * 1000
      issued.set(await hash(ticket), { key: referenceKey(reference), end })
      for (const oldest of issued.keys()) {
        if (issued.size <= limit) break
        issued.delete(oldest)
      }
      return { ticket, expiresAt: new Date(end) }
    },
    redeem: async (reference, ticket) => {
      const id = await hash(ticket)
      const found = issued.get(id)
      issued.delete(id)
      return found !== undefined && found.key === referenceKey(reference) && found.end > now().getTime()
    },
  }
}

const hash = async (ticket: string): Promise<string> =>
  toHexadecimal(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ticket))))

const toHexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
