import type {
  ConversationRequest,
  ConversationTool,
  ConversationToolChoice,
  FunctionTool,
  WebSearchTool,
} from '../conversation/conversation-request.ts'

/** A request whose web search is a function that the gateway executes. */
export interface SearchableRequest {
  /** With the function in the place of the client's tool. */
  readonly request: ConversationRequest
  readonly tool: WebSearchTool
  /** The name of the function, which no tool of the client has. */
  readonly name: string
}

/**
 * Replaces the web search of a request by a function. Returns `undefined` where the request offers none, or its choice of
 * a tool excludes it. Allowed tools are the only ones that are offered.
 */
export function searchableRequest(request: ConversationRequest): SearchableRequest | undefined {
  const { toolChoice: choice } = request
  if (choice?.type === 'none') return undefined
  const allowed = choice?.type === 'allowed' ? new Set(choice.names) : undefined
  const tools = request.tools.filter((tool) => allowed?.has(tool.name) ?? true)
  const tool = tools.find((one) => one.type === 'web-search')
  if (tool?.type !== 'web-search') return undefined
  const name = freeName(request.tools)
  const { toolChoice: _, ...rest } = request
  const chosen = choiceOf(request, name)
  const others = tools.filter(({ type }) => type !== 'web-search')
  return {
    request: { ...rest, tools: [...others, functionFor(name, tool)], ...(chosen && { toolChoice: chosen }) },
    tool,
    name,
  }
}

function choiceOf({ toolChoice: choice, dialect }: ConversationRequest, name: string) {
  if (choice?.type === 'allowed') return choice.required ? required : undefined
  const isSearch = choice?.type === 'hosted' && choice.dialect === dialect && choice.name.startsWith('web_search')
  const forced: ConversationToolChoice = { type: 'tool', name, kind: 'function' }
  return isSearch ? forced : choice
}

const required: ConversationToolChoice = { type: 'required' }

function freeName(tools: readonly ConversationTool[]): string {
  const taken = new Set(tools.flatMap((tool) => (tool.type === 'function' || tool.type === 'custom' ? tool.name : [])))
  let name = 'web_search'
  for (let number = 2; taken.has(name); number += 1) name = `web_search_${number}`
  return name
}

const functionFor = (name: string, { at }: WebSearchTool): FunctionTool => ({
  type: 'function',
  name,
  description: 'Searches the web, and returns numbered results: titles, addresses and excerpts of pages.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'The words to search for.' } },
    required: ['query'],
    additionalProperties: false,
  },
  at,
})
