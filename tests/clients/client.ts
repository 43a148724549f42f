import type { Upstream } from './upstreams/upstream.ts'

/** What a client finds in its network namespace. */
export interface Host {
  /** The address of the gateway, without a path. */
  readonly url: string
  /** An API key of the gateway. */
  readonly key: string
  /** The directory where the client's project is installed. */
  readonly project: string
  /** By the ids of the providers: `openai` has all of OpenAI's interface, `chat` only chat completions. */
  readonly upstreams: Readonly<Record<'openai' | 'chat' | 'anthropic', Upstream>>
}

export interface CheckResult {
  /** What works where no problem is left: `task of several tool calls over a chat-only upstream`. */
  readonly name: string
  readonly problems: readonly string[]
}

/** A foreign program or SDK that is pointed at the gateway. */
export interface Client {
  /** The directory in `projects`. */
  readonly name: string
  /** As its makers write it. */
  readonly title: string
  /** The packages whose locked versions the document names. */
  readonly packages: readonly string[]
  /** Markdown: how a user points it at the gateway. */
  readonly pointing: string
  run(host: Host): Promise<readonly CheckResult[]>
}
