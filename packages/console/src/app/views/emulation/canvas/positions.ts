import * as v from 'valibot'

/** A point on the canvas, in pixels at the zoom 1. */
export interface Position {
  readonly x: number
  readonly y: number
}

/** The positions of nodes by their id. */
export type Positions = Readonly<Record<string, Position>>

const positionsSchema = v.record(v.string(), v.object({ x: v.number(), y: v.number() }))

const nameOf = (projectId: string) => `trivium.positions.${projectId}`

/**
 * Positions of a project in the local storage of the browser: of the ends of cables to the outside, which the server does
 * not store, and from before it stored them, of instances.
 */
export const storedPositions = {
  read(projectId: string): Positions {
    const text = localStorage.getItem(nameOf(projectId))
    if (text === null) return {}
    try {
      const parsed = v.safeParse(positionsSchema, JSON.parse(text))
      return parsed.success ? parsed.output : {}
    } catch {
      return {}
    }
  },
  write(projectId: string, positions: Positions): void {
    if (Object.keys(positions).length === 0) localStorage.removeItem(nameOf(projectId))
    else localStorage.setItem(nameOf(projectId), JSON.stringify(positions))
  },
  remove: (projectId: string): void => localStorage.removeItem(nameOf(projectId)),
}

const COLUMNS = 4
const COLUMN_WIDTH = 220
const ROW_HEIGHT = 165
/** Approximate sizes of a box in pixels: without ports, at most, and of each port. See `lab-canvas.css`. */
const [MIN_WIDTH, MAX_WIDTH, PORT_WIDTH] = [120, 264, 34]
const [HEAD_HEIGHT, PORT_HEIGHT] = [60, 28]
const GAP = 24

/** A node that needs a position. */
export interface PlaceableNode {
  readonly id: string
  /** Hubs are in the rows between the others. */
  readonly isHub: boolean
  readonly ports: number
}

/** Returns the known positions, and the first free ones for the other nodes. */
export function placeAll(all: readonly PlaceableNode[], known: Positions): Positions {
  const placed: Record<string, Position> = {}
  const taken: Box[] = []
  const take = (one: PlaceableNode, position: Position) => {
    placed[one.id] = position
    taken.push({ ...position, ...sizeOf(one) })
  }
  for (const one of all) {
    const position = known[one.id]
    if (position) take(one, position)
  }
  for (const one of all) {
    if (!placed[one.id]) take(one, firstFreePosition(taken, one))
  }
  return placed
}

interface Size {
  readonly width: number
  readonly height: number
}

type Box = Position & Size

function sizeOf({ ports }: PlaceableNode): Size {
  const portsWidth = ports * PORT_WIDTH
  return {
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, portsWidth)),
    height: HEAD_HEIGHT + PORT_HEIGHT * Math.ceil(portsWidth / MAX_WIDTH),
  }
}

function firstFreePosition(taken: readonly Box[], one: PlaceableNode): Position {
  const size = sizeOf(one)
  for (let cell = 0; ; cell += 1) {
    const row = 2 * Math.floor(cell / COLUMNS) + (one.isHub ? 1 : 0)
    const position = { x: COLUMN_WIDTH * ((cell % COLUMNS) + (one.isHub ? 0.4 : 0)), y: ROW_HEIGHT * row }
    if (!taken.some((other) => overlaps(other, { ...position, ...size }))) return position
  }
}

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width + GAP &&
  other.x < one.x + one.width + GAP &&
  one.y < other.y + other.height + GAP &&
  other.y < one.y + one.height + GAP
