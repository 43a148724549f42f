import { perObject } from '../../per-object.ts'
import type { ConversationRequest, ConversationTool } from '../conversation/conversation-request.ts'
import { ToolMap } from '../conversation/tool-map.ts'
import { MAX_NAME, UniqueNames } from '../conversation/unique-names.ts'

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
export const toolNames = perObject(({ tools }: Pick<ConversationRequest, 'tools'>): ToolNames => {
  const names = new ToolMap<string>()
  const byName = new Map<string, OfferedTool>()
  const hasSearch = tools.some(({ type }) => type === 'web-search')
  const unique = new UniqueNames(hasSearch ? [ANSWER_TOOL, 'web_search'] : [ANSWER_TOOL])
  for (const tool of tools.filter(isNamed)) {
    if (names.get(tool) !== undefined) continue
    const name = unique.take(flatName(tool))
    names.set(tool, name)
    const { namespace } = tool
    byName.set(name, { name: tool.name, kind: tool.type, ...(namespace === undefined ? {} : { namespace }) })
  }
  return {
    nameOf: (tool) => names.get(tool) ?? flatName(tool),
    toolOf: (name) => byName.get(name),
  }
})

type NamedTool = Extract<ConversationTool, { readonly type: 'function' | 'custom' }>

const isNamed = (tool: ConversationTool): tool is NamedTool => tool.type === 'function' || tool.type === 'custom'

function flatName({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>): string {
  const full = namespace === undefined ? name : `${namespace}__${name}`
  const plain = full.slice(-4 * MAX_NAME).replace(/[^a-zA-Z0-9_-]/g, '_')
  return plain === '' ? 'tool' : plain.slice(-MAX_NAME)
}
