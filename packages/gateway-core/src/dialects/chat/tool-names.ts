import { perObject } from '../../per-object.ts'
import type { ToolCallPart } from '../conversation/conversation-parts.ts'
import type { ConversationTool, CustomTool, FunctionTool } from '../conversation/conversation-request.ts'
import { ToolMap } from '../conversation/tool-map.ts'
import { MAX_NAME, UniqueNames } from '../conversation/unique-names.ts'

/** A tool of a client, by the identity that its calls have. */
type Named = Pick<ToolCallPart, 'name' | 'namespace' | 'kind'>

/** The names of a request's tools in chat completions, which have no namespaces. */
export interface ToolNames {
  /** Returns the name of a tool, offered or not. */
  nameOf(tool: Pick<Named, 'name' | 'namespace'>): string
  /** Returns the tool that was offered under a name. */
  toolOf(name: string): Named | undefined
}

/**
 * Names the tools of a request: `namespace__name` for those of a namespace, unique, and shortened to 64 characters by a
 * hash. The same tools always get the same names.
 */
export const toolNames = perObject((tools: readonly ConversationTool[]): ToolNames => {
  const offered = tools.filter((tool): tool is FunctionTool | CustomTool => 'at' in tool && isNamed(tool))
  const names = new ToolMap<string>()
  const unique = new UniqueNames()
  const byName = new Map<string, Named>()
  // Tools without a namespace keep their names, so those are given first.
  for (const tool of [...offered.filter(isPlain), ...offered.filter((one) => !isPlain(one))]) {
    if (names.get(tool) !== undefined) continue
    const flat = flatName(tool)
    const name = unique.take(unique.has(flat) ? shortened(flat, seedOf(tool)) : flat)
    names.set(tool, name)
    const { namespace } = tool
    byName.set(name, { kind: tool.type, name: tool.name, ...(namespace === undefined ? {} : { namespace }) })
  }
  return { nameOf: (tool) => names.get(tool) ?? flatName(tool), toolOf: (name) => byName.get(name) }
})

const isNamed = (tool: ConversationTool): boolean => tool.type === 'function' || tool.type === 'custom'

const isPlain = ({ name, namespace }: FunctionTool | CustomTool): boolean =>
  namespace === undefined && name.length <= MAX_NAME

const seedOf = ({ name, namespace }: Pick<Named, 'name' | 'namespace'>): string =>
  `${JSON.stringify([namespace, name])}1`

function flatName({ name, namespace }: Pick<Named, 'name' | 'namespace'>): string {
  if (namespace === undefined) return name.length <= MAX_NAME ? name : shortened(name, name)
  const separator = namespace.endsWith('__') ? '' : '__'
  const full = `${namespace}${separator}${name}`
  const flat = full.slice(0, MAX_NAME).replaceAll(/[^\w-]/g, '_')
  return full.length <= MAX_NAME ? flat : shortened(flat, `${namespace}\n${name}`)
}

const shortened = (name: string, seed: string): string => `${name.slice(0, MAX_NAME - 9)}_${hashOf(seed)}`

/** FNV-1a, because a name has to be the same in every process, and guards nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
