import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback, useRef, useState } from 'react'
import { errorMessage } from '../../../components/error-note.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { operationsOf } from '../kinds/operations.ts'
import { endParams } from './cabling.ts'
import type { Direction } from './impairment.ts'
import type { Impairment, Link, LinkEnd } from './link.ts'

/** A new impairment of one direction. */
export interface Change {
  readonly direction: Direction
  readonly impairment: Impairment
}

export interface ImpairedLink {
  /** The link with the changes that are being sent. The server changes one end after the other. */
  readonly shown: Link
  /** Changes impairments. One request runs at a time, and the last change of each direction is always sent. */
  readonly impair: (changes: readonly Change[]) => void
}

/** Changes the impairments of a link. */
export function useImpairment(projectId: string, link: Link): ImpairedLink {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [unconfirmed, setUnconfirmed] = useState<readonly Change[]>([])
  const pending = useRef<readonly Change[]>([])
  const isSending = useRef(false)

  const impair = useCallback(
    (changes: readonly Change[]) => {
      const key = topicKey('emulation', 'links', projectId)
      setUnconfirmed((before) => merged(before, changes))
      queries.setQueryData<readonly Link[]>(key, (links) => links?.map((one) => withChanges(one, changes)))
      pending.current = merged(pending.current, changes)
      if (isSending.current) return
      isSending.current = true
      const send = async () => {
        while (pending.current.length > 0) {
          const next = pending.current
          pending.current = []
          for (const end of new Set(next.map(({ direction }) => direction.end))) {
            const { impairments } = withOwnChanges(end, next)
            const { updateNio } = operationsOf(emulation, end.kind)
            await expectOk(updateNio({ params: endParams(projectId, end), body: { impairments } }))
          }
        }
      }
      void send()
        .catch((error: unknown) => {
          pending.current = []
          toasts.error(errorMessage(error))
        })
        .then(() => {
          isSending.current = false
          return queries.invalidateQueries({ queryKey: key })
        })
        .then(() => {
          if (!isSending.current) setUnconfirmed([])
        })
    },
    [emulation, queries, toasts, projectId],
  )
  return { shown: withChanges(link, unconfirmed), impair }
}

const merged = (before: readonly Change[], after: readonly Change[]): readonly Change[] => [
  ...before.filter(({ direction }) => !after.some((change) => isSameDirection(change.direction, direction))),
  ...after,
]

const withChanges = (link: Link, changes: readonly Change[]): Link => ({
  ...link,
  ends: link.ends.map((end) => withOwnChanges(end, changes)),
})

function withOwnChanges(end: LinkEnd, changes: readonly Change[]): LinkEnd {
  const own = changes.filter(({ direction }) => isSameEnd(direction.end, end))
  const impairments = Object.fromEntries(own.map(({ direction, impairment }) => [direction.side, impairment]))
  return own.length === 0 ? end : { ...end, impairments: { ...end.impairments, ...impairments } }
}

const isSameDirection = (one: Direction, other: Direction): boolean =>
  one.side === other.side && isSameEnd(one.end, other.end)

const isSameEnd = (one: LinkEnd, other: LinkEnd): boolean =>
  one.id === other.id && one.adapter_number === other.adapter_number && one.port_number === other.port_number
