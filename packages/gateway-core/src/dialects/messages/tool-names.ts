import type { ConversationRequest, ConversationTool } from '../conversation/conversation-request.ts'

/** The longest name of a tool that every upstream accepts. */
const MAX_NAME = 64

/** The tool whose input is the answer, where a JSON format has no native field. */
export const ANSWER_TOOL = 'trivium_answer'

/** A tool as the client offered it. */
export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
  readonly kind: 'function' | 'custom'
}

/** The names of a request's tools at an upstream that has no namespaces. */
export interface ToolNames {
  /** @returns the upstream's name of a tool, also of one that is no longer offered */
  nameOf(tool: Pick<OfferedTool, 'name' | 'namespace'>): string
  /** @returns the client's tool with this name at the upstream */
  toolOf(name: string): OfferedTool | undefined
}

/** Names the tools of a request: `namespace__name`, at most 64 characters, each once. The same request has the same names. */
export function toolNames({ tools }: Pick<ConversationRequest, 'tools'>): ToolNames {
  const byKey = new Map<string, string>()
  const byName = new Map<string, OfferedTool>()
  const taken = new Set<string>([ANSWER_TOOL])
  if (tools.some(({ type }) => type === 'web-search')) taken.add('web_search')
  for (const tool of tools.filter(isNamed)) {
    const key = keyOf(tool)
    if (byKey.has(key)) continue
    const name = unique(flatName(tool), taken)
    taken.add(name)
    byKey.set(key, name)
    const { namespace } = tool
    byName.set(name, { name: tool.name, kind: tool.type, ...(namespace === undefined ? {} : { namespace }) })
  }
  return {
    nameOf: (tool) => byKey.get(keyOf(tool)) ?? flatName(tool),
    toolOf: (name) => byName.get(name),
  }
}

type NamedTool = Extract<ConversationTool, { readonly type: 'function' | 'custom' }>

const isNamed = (tool: ConversationTool): tool is NamedTool => tool.type === 'function' || tool.type === 'custom'

const keyOf = ({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>): string =>
  JSON.stringify([namespace ?? null, name])

function flatName({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>): string {
  const full = namespace === undefined ? name : `${namespace}__${name}`
  const plain = full.slice(-4 * MAX_NAME).replace(/[^a-zA-Z0-9_-]/g, '_')
  return plain === '' ? 'tool' : plain.slice(-MAX_NAME)
}

function unique(name: string, taken: ReadonlySet<string>): string {
  let candidate = name
  for (let number = 2; taken.has(candidate); number += 1) {
    candidate = `${name.slice(0, MAX_NAME - 1 - String(number).length)}_${number}`
  }
  return candidate
}
