import { expect, it } from 'vitest'
import { type PlaceableNode, placeAll } from './positions.ts'

const computer = (id: string): PlaceableNode => ({ id, isHub: false, ports: 1 })

it('places computers in rows, and switches between the rows', () => {
  const placed = placeAll([computer('one'), { id: 'switch', isHub: true, ports: 8 }, computer('two')], {})
  expect(placed.one?.y).toBe(placed.two?.y)
  expect(placed.two?.x).toBeGreaterThan((placed.one?.x ?? 0) + 120)
  expect(placed.switch?.y).toBeGreaterThan(placed.one?.y ?? 0)
})

it('leaves more space for a node with many ports', () => {
  const placed = placeAll([{ id: 'router', isHub: false, ports: 16 }, computer('next')], {})
  expect(placed.next?.x).toBeGreaterThan((placed.router?.x ?? 0) + 264)
})

it('keeps known positions, and places the other nodes around them', () => {
  const known = { one: { x: 220, y: 0 } }
  const placed = placeAll([computer('one'), computer('two'), computer('three')], known)
  expect(placed).toEqual({ one: { x: 220, y: 0 }, two: { x: 0, y: 0 }, three: { x: 440, y: 0 } })
})
