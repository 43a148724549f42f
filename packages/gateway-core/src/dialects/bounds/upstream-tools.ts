import { isWebSearch } from '../chat/read-tools.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import { countIn, listOr, objectOr, objectsOf } from '../json-values.ts'

/** What tools of a request add that its upstream executes itself. */
export interface UpstreamTools {
  /** Calls of the model, one after the other, each with everything before. */
  readonly rounds: number
  /** Web searches that the upstream may charge. */
  readonly searches: number
  /** The field of a tool whose results the model reads. `undefined` without one. */
  readonly hidden: string | undefined
  /** The field of a tool whose cost has no bound. `undefined` without one. */
  readonly unbounded: string | undefined
  /** Tools whose description the vendor adds. */
  readonly described: number
}

/** Anthropic ends a turn after 10 rounds, the last of which may be answered once more. */
const MESSAGES_ROUNDS = 11
/** How often the gateway itself continues a turn that has paused, and the first request. */
const CONTINUED_TURNS = 6
/** No upstream of chat completions reports how often it searches at most. */
const CHAT_SEARCHES = 30

/** Tools that the client executes, and nested ones. */
const clientTools: ReadonlySet<string> = new Set(
  'function custom namespace computer_use_preview computer local_shell apply_patch'.split(' '),
)
const CLIENT_TOOL = /^(?:bash|text_editor|computer|memory)_\d{8}$/
const FETCH = /^web_fetch_\d{8}$/
const TOOL_SEARCH = /^tool_search/

/**
 * Reads the tools that the upstream executes. Those with a price that is not known, such as containers, have no bound.
 *
 * @param front the dialect of the client
 * @param services the dialects in which its request may be sent
 */
export function upstreamTools(front: Dialect, services: ReadonlySet<Dialect>, body: JsonObject): UpstreamTools {
  const read = new ReadTools(front, services, body)
  read.add(body.tools, 'tools')
  read.addServers()
  read.addChatSearch()
  return read
}

class ReadTools implements UpstreamTools {
  rounds = 1
  searches = 0
  hidden: string | undefined
  unbounded: string | undefined
  described = 0
  readonly #front: Dialect
  readonly #services: ReadonlySet<Dialect>
  readonly #body: JsonObject

  constructor(front: Dialect, services: ReadonlySet<Dialect>, body: JsonObject) {
    this.#front = front
    this.#services = services
    this.#body = body
  }

  add(tools: unknown, at: string): void {
    for (const [index, tool] of listOr(tools).entries()) this.#addTool(objectOr(tool), `${at}[${index}]`)
  }

  /** The servers of tools that a request of messages names. Their calls cost nothing beside the tokens. */
  addServers(): void {
    const { mcp_servers: servers } = this.#body
    if (listOr(servers).length > 0) this.#read('mcp_servers', undefined)
  }

  addChatSearch(): void {
    const { web_search_options: options } = this.#body
    const [known] = objectsOf([options])
    if (known) this.#addSearch(known, 'web_search_options')
  }

  #addTool(tool: JsonObject, at: string): void {
    const { type } = tool
    if (typeof type !== 'string') return
    if (type !== 'function' && type !== 'custom') this.described += 1
    if (type === 'namespace') this.add(tool.tools, `${at}.tools`)
    if (clientTools.has(type) || CLIENT_TOOL.test(type)) return
    if (isWebSearch(type)) this.#addSearch({ ...objectOr(tool.parameters), ...tool }, at)
    else if (FETCH.test(type) || type === 'mcp_toolset') this.#read(at, undefined)
    else if (type === 'mcp') this.#read(at, this.#mostCalls)
    // What it finds are tools of the request.
    else if (TOOL_SEARCH.test(type)) this.#loop(at, tool.execution === 'client' ? 0 : this.#mostCalls)
    else if (type !== 'shell' || objectOr(tool.environment).type !== 'local') this.unbounded ??= at
  }

  get #mostCalls(): number | undefined {
    return countIn(this.#body.max_tool_calls)
  }

  #addSearch({ max_uses: uses }: JsonObject, at: string): void {
    const most = this.#front === 'responses' ? this.#mostCalls : countIn(uses)
    // Only upstreams of chat completions search without a limit of the request, before they answer.
    if (most === undefined && this.#isChat) {
      this.hidden ??= at
      this.searches += CHAT_SEARCHES
      return
    }
    if (most === undefined) this.unbounded ??= at
    this.searches += (most ?? 0) * this.#turns
    this.#read(at, most)
  }

  #read(at: string, most: number | undefined): void {
    this.hidden ??= at
    this.#loop(at, most)
  }

  /** @param most the most calls, where the request limits them */
  #loop(at: string, most: number | undefined): void {
    if (this.#services.has('messages')) this.rounds = Math.max(this.rounds, MESSAGES_ROUNDS * this.#turns)
    if (!this.#services.has('responses') && !this.#isChat) return
    if (most === undefined) this.unbounded ??= at
    else this.rounds = Math.max(this.rounds, most + 1)
  }

  get #isChat(): boolean {
    return this.#services.size === 1 && this.#services.has('chat')
  }

  /** The gateway continues turns for the clients of other dialects. */
  get #turns(): number {
    return this.#services.has('messages') && this.#front !== 'messages' ? CONTINUED_TURNS : 1
  }
}
