import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr } from '../json-values.ts'
import type { OpenTurn } from './write-turns.ts'

/** The parts of a request that can have marks of the cache. */
export interface Markable {
  readonly tools: readonly JsonObject[]
  readonly system: readonly JsonObject[]
  readonly turns: readonly OpenTurn[]
}

const mark = { type: 'ephemeral' } as const

/**
 * Marks the last tool, the end of the system prompt and the last two turns of the user: the 4 marks that Anthropic allows.
 * A request with a mark of the client stays as it is.
 */
export function withBreakpoints({ tools, system, turns }: Markable): Markable {
  const blocks = turns.flatMap(({ content }) => content)
  if ([...tools, ...system, ...blocks].some(isMarked)) return { tools, system, turns }
  const users = turns.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2)
  return {
    tools: withLastMarked(tools),
    system: withLastMarked(system),
    turns: turns.map((turn, index) =>
      users.includes(index) ? { role: turn.role, content: [...withLastMarked(turn.content)] } : turn,
    ),
  }
}

const isMarked = (block: JsonObject): boolean =>
  block.cache_control !== undefined ||
  listOr(block.content).some((inner) => objectOr(inner).cache_control !== undefined)

function withLastMarked(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1)
  return last ? [...blocks.slice(0, -1), { ...last, cache_control: mark }] : blocks
}
