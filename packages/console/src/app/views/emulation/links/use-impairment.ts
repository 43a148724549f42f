import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback, useRef } from 'react'
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

/** Returns a function that changes impairments. One request runs at a time, and the last change is always sent. */
export function useImpairment(projectId: string): (changes: readonly Change[]) => void {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const toasts = useToasts()
  const pendingChanges = useRef<readonly Change[]>(undefined)
  const isSending = useRef(false)

  return useCallback(
    (changes) => {
      const key = topicKey('emulation', 'links', projectId)
      // The response of a running request would reset the slider.
      void queries.cancelQueries({ queryKey: key })
      queries.setQueryData<readonly Link[]>(key, (links) => links && withChanges(links, changes))
      pendingChanges.current = changes
      if (isSending.current) return
      isSending.current = true
      const send = async () => {
        for (let next = pendingChanges.current; next; next = pendingChanges.current) {
          pendingChanges.current = undefined
          for (const end of new Set(next.map(({ direction }) => direction.end))) {
            const { impairments } = withOwnChanges(end, next)
            const { updateNio } = operationsOf(emulation, end.kind)
            await expectOk(updateNio({ params: endParams(projectId, end), body: { impairments } }))
          }
        }
      }
      send()
        .catch((error: unknown) => {
          pendingChanges.current = undefined
          toasts.error(errorMessage(error))
        })
        .finally(() => {
          isSending.current = false
          void queries.invalidateQueries({ queryKey: key })
        })
    },
    [emulation, queries, toasts, projectId],
  )
}

const withChanges = (links: readonly Link[], changes: readonly Change[]): readonly Link[] =>
  links.map((link) => ({ ...link, ends: link.ends.map((end) => withOwnChanges(end, changes)) }))

function withOwnChanges(end: LinkEnd, changes: readonly Change[]): LinkEnd {
  const own = changes.filter(({ direction }) => isSameEnd(direction.end, end))
  const impairments = Object.fromEntries(own.map(({ direction, impairment }) => [direction.side, impairment]))
  return own.length === 0 ? end : { ...end, impairments: { ...end.impairments, ...impairments } }
}

const isSameEnd = (one: LinkEnd, other: LinkEnd): boolean =>
  one.id === other.id && one.adapter_number === other.adapter_number && one.port_number === other.port_number
