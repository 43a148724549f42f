import * as v from 'valibot'
import { SettingsError } from '../settings.ts'

/** What one side asks the other: by name, what is sent and what is answered. */
type Calls<Names extends string> = Readonly<Record<Names, { readonly asks: unknown; readonly answers: unknown }>>

/** Asks the other process. Rejects where it fails, or ends before its answer. */
export type Ask<Asked> = <Name extends keyof Asked & string>(
  name: Name,
  ...data: AsksOf<Asked[Name]> extends undefined ? [] : [AsksOf<Asked[Name]>]
) => Promise<AnswersOf<Asked[Name]>>

type AsksOf<Call> = Call extends { readonly asks: infer Data } ? Data : never
type AnswersOf<Call> = Call extends { readonly answers: infer Data } ? Data : never

/** The functions that answer the other process. */
export type Answering<Answered> = {
  readonly [Name in keyof Answered & string]: (
    data: AsksOf<Answered[Name]>,
  ) => AnswersOf<Answered[Name]> | Promise<AnswersOf<Answered[Name]>>
}

/** The process at the other end. */
export interface Peer {
  /** @returns whether the message may arrive */
  send(message: object): boolean
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
}

// Other messages belong to Node, and to tools that are loaded into the process.
const envelope = v.variant('trivium', [
  v.object({ trivium: v.literal('ask'), id: v.number(), name: v.string(), data: v.unknown() }),
  v.object({ trivium: v.literal('answer'), id: v.number(), value: v.unknown() }),
  v.object({ trivium: v.literal('failure'), id: v.number(), message: v.string(), isMistake: v.boolean() }),
])

type Envelope = v.InferOutput<typeof envelope>

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Opens questions and answers between the primary and a worker. Both are this program, so that only the envelope of a
 * message is checked.
 */
export function openChannel<Asked extends Calls<keyof Asked & string>, Answered extends Calls<keyof Answered & string>>(
  peer: Peer,
  answering: Answering<Answered>,
): Ask<Asked> {
  const pending = new Map<number, Pending>()
  const handlers: ReadonlyMap<string, unknown> = new Map(Object.entries(answering))
  let last = 0
  let isClosed = false

  const answer = async (id: number, name: string, data: unknown): Promise<Envelope> => {
    try {
      const handle = handlers.get(name)
      if (typeof handle !== 'function') throw new Error(`no answer to "${name}"`)
      return { trivium: 'answer', id, value: await handle(data) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { trivium: 'failure', id, message, isMistake: error instanceof SettingsError }
    }
  }
  const settle = (id: number): Pending | undefined => {
    const found = pending.get(id)
    pending.delete(id)
    return found
  }

  peer.onMessage((received) => {
    const parsed = v.safeParse(envelope, received)
    if (!parsed.success) return
    const message = parsed.output
    if (message.trivium === 'ask') {
      void answer(message.id, message.name, message.data).then((reply) => peer.send(reply))
    } else if (message.trivium === 'answer') settle(message.id)?.resolve(message.value)
    else {
      const { isMistake, message: text } = message
      settle(message.id)?.reject(isMistake ? new SettingsError(text) : new Error(text))
    }
  })
  peer.onClose(() => {
    isClosed = true
    for (const id of [...pending.keys()]) settle(id)?.reject(new Error(ENDED))
  })

  const ask = (name: string, data?: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1
      pending.set(last, { resolve, reject })
      const message: Envelope = { trivium: 'ask', id: last, name, data }
      try {
        if (isClosed || !peer.send(message)) settle(last)?.reject(new Error(ENDED))
      } catch (error) {
        // Something in it cannot be sent.
        pending.delete(last)
        reject(error)
      }
    })
  // Each name has the types of `Asked`, which the other process answers.
  return ask as Ask<Asked>
}

const ENDED = 'The other process has ended.'
