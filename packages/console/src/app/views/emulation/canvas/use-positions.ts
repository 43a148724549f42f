import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { errorMessage } from '../../../components/error-note.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Lab, type Place, placesKey } from '../lab/use-lab.ts'
import { nodesToPlace } from './lab-nodes.ts'
import { type Positions, placeAll, storedPositions } from './positions.ts'

/** The server's bound of one request. */
const MAX_CHANGES = 1000

export interface LabPositions {
  /** The position of each node: of instances as the server has them, of the ends of cables to the outside as the browser has them. */
  readonly placed: Positions
  /** Stores new positions. One request runs at a time, and the last position of each instance is always sent. */
  readonly move: (moved: Positions) => void
}

/** Reads and stores where a lab shows its nodes. Gives instances that have no place the first free ones. */
export function usePositions(lab: Lab): LabPositions {
  const { projectId, isLocked, places, links } = lab
  const [own, setOwn] = useState<Positions>(() => storedPositions.read(projectId))
  // Positions of instances are from before the server stored them.
  const [takesOver] = useState(() => Object.keys(positionsOf(places)).length === 0)
  const [unconfirmed, send] = useSending(projectId)
  const stored = useMemo(() => positionsOf(places), [places])
  const placed = useMemo(
    () => placeAll(nodesToPlace(lab), { ...(takesOver ? own : outsideOf(lab, own)), ...stored, ...unconfirmed }),
    [lab, takesOver, own, stored, unconfirmed],
  )

  const keep = useCallback(
    (next: Positions) => {
      storedPositions.write(projectId, next)
      setOwn(next)
    },
    [projectId],
  )
  const move = useCallback(
    (moved: Positions) => {
      const outside = outsideOf({ links }, moved)
      if (Object.keys(outside).length > 0) keep({ ...own, ...outside })
      send(only(moved, (id) => outside[id] === undefined))
    },
    [links, own, keep, send],
  )

  useEffect(() => {
    const isWaiting = takesOver && places.some(({ node_id }) => stored[node_id] === undefined)
    const next = { ...(isWaiting ? own : outsideOf({ links }, own)), ...outsideOf({ links }, placed) }
    if (!areEqual(own, next)) keep(next)
  }, [takesOver, links, places, own, stored, placed, keep])

  // A place that the server refused is not sent again.
  const attempted = useRef(new Set<string>())
  useEffect(() => {
    if (isLocked) return
    const isNew = ({ node_id }: Place) => stored[node_id] === undefined && !attempted.current.has(node_id)
    const ids = new Set(places.filter(isNew).map(({ node_id }) => node_id))
    const first = only(placed, (id) => ids.has(id))
    for (const id of Object.keys(first)) attempted.current.add(id)
    send(first)
  }, [isLocked, places, stored, placed, send])

  return { placed, move }
}

/** @returns the positions that are being sent, and what sends more */
function useSending(projectId: string): readonly [Positions, (moved: Positions) => void] {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [unconfirmed, setUnconfirmed] = useState<Positions>({})
  const pending = useRef<Positions>({})
  const isSending = useRef(false)
  const send = useCallback(
    (moved: Positions) => {
      if (Object.keys(moved).length === 0) return
      setUnconfirmed((before) => ({ ...before, ...moved }))
      pending.current = { ...pending.current, ...moved }
      if (isSending.current) return
      isSending.current = true
      const sendPending = async () => {
        while (Object.keys(pending.current).length > 0) {
          const next = Object.entries(pending.current).slice(0, MAX_CHANGES)
          const sent = new Set(next.map(([id]) => id))
          pending.current = only(pending.current, (id) => !sent.has(id))
          const nodes = next.map(([node_id, { x, y }]) => ({ node_id, x, y }))
          await expectOk(emulation.arrangeNodes({ params: { project_id: projectId }, body: { nodes } }))
        }
      }
      void sendPending()
        .catch((error: unknown) => {
          pending.current = {}
          toasts.error(errorMessage(error))
        })
        .then(() => {
          isSending.current = false
          return queries.invalidateQueries({ queryKey: placesKey(projectId) })
        })
        .then(() => {
          if (!isSending.current) setUnconfirmed({})
        })
    },
    [emulation, queries, toasts, projectId],
  )
  return [unconfirmed, send]
}

/** Returns the positions of the ends of cables to the outside. */
function outsideOf({ links }: Pick<Lab, 'links'>, positions: Positions): Positions {
  const ids = new Set(links.map(({ link_id }) => link_id))
  return only(positions, (id) => ids.has(id))
}

const positionsOf = (places: readonly Place[]): Positions =>
  Object.fromEntries(
    places.flatMap(({ node_id, x, y }) => (x === undefined || y === undefined ? [] : [[node_id, { x, y }]])),
  )

const only = (positions: Positions, isWanted: (id: string) => boolean): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([id]) => isWanted(id)))

const areEqual = (one: Positions, other: Positions): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([id, { x, y }]) => other[id]?.x === x && other[id].y === y)
