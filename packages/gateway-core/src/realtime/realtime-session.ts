import type { BudgetError } from '../budgets/budget-error.ts'
import type { BudgetHold } from '../budgets/budgets.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { Outcome } from '../outcome.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { RealtimeReceiver, RealtimeUpstream } from '../providers/provider.ts'
import type { ProviderError } from '../providers/provider-error.ts'
import type { RequestResult } from '../usage/request-accounts.ts'
import { sumOfDetails, type UsageDetail } from '../usage/usage-detail.ts'
import { OpenAnswers } from './open-answers.ts'
import { type TurnUsage, turnUsageOf } from './session-usage.ts'

/** The client of a session. */
export interface RealtimeClient {
  send(message: string | Uint8Array): void
  /** @param reason at most 123 bytes */
  close(code: number, reason: string): void
}

/** What the transport calls for the messages of a client. */
export interface RealtimeControl {
  message(message: string | Uint8Array): void
  /** The client has closed the session. */
  closed(): void
}

/** Why the gateway ends a session. */
export type SessionEnd =
  | 'client-left'
  | 'longest-time'
  | 'idle'
  | 'gateway-closed'
  | 'budget'
  | 'key-ended'
  | 'slow-upstream'

export interface RealtimeSessionOptions {
  readonly idleMs: number
  readonly longestMs: number
  readonly maxBufferedBytes: number
  readonly reserve: (tokens: number) => Outcome<BudgetHold, BudgetError>
  /** Called once, when an opened session has ended. */
  readonly onSettled: (result: RequestResult) => void
}

const NORMAL = 1000
const GOING_AWAY = 1001
const POLICY = 1008
const TRY_AGAIN_LATER = 1013

const closings: Readonly<Record<Exclude<SessionEnd, 'client-left'>, readonly [code: number, reason: string]>> = {
  'longest-time': [NORMAL, 'The session has reached its longest time.'],
  idle: [NORMAL, 'The session had no messages for too long.'],
  'gateway-closed': [GOING_AWAY, 'The gateway is shutting down.'],
  budget: [POLICY, 'The token budget is exceeded.'],
  'key-ended': [POLICY, 'The API key is no longer valid.'],
  'slow-upstream': [TRY_AGAIN_LATER, 'The upstream does not keep up.'],
}

const upstreamFailed = [1011, 'The upstream has closed the session.'] as const

/** Codes that only a closing handshake may contain. */
const passedOn = (code: number, reason: string): readonly [number, string] =>
  code >= 3000 && code <= 4999 ? [code, reason.slice(0, 40)] : [NORMAL, '']

const BUDGET_EVENT = JSON.stringify({
  type: 'error',
  error: {
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: 'The token budget of this caller is exceeded, so the session ends.',
    param: null,
  },
})

/** The most bytes that an upstream may send before its client is attached. */
const MAX_HELD_BYTES = 2 ** 20

/** The settlement of the session counts them. */
const released = { tokens: 0, cost: 0 as Nanodollars } // a whole number

/** One session between a client and an upstream. Messages pass unchanged in both directions. */
export class RealtimeSession {
  provider = ''
  readonly #options: RealtimeSessionOptions
  #upstream: RealtimeUpstream | undefined
  #client: RealtimeClient | undefined
  #receiver: RealtimeReceiver | undefined
  #held: (string | Uint8Array)[] = []
  #heldBytes = 0
  #closed: Parameters<RealtimeReceiver['closed']> | undefined
  #over = false
  #idle: ReturnType<typeof setTimeout> | undefined
  #longest: ReturnType<typeof setTimeout> | undefined
  #inputTokens = 0
  #outputTokens = 0
  #detail: UsageDetail = {}
  readonly #answers = new OpenAnswers()
  readonly #reservations: BudgetHold[] = []

  constructor(options: RealtimeSessionOptions) {
    this.#options = options
  }

  /** Returns the receiver of one attempt. That of an earlier attempt is ignored from then on. */
  receiver(): RealtimeReceiver {
    this.#held = []
    this.#heldBytes = 0
    this.#closed = undefined
    const receiver: RealtimeReceiver = {
      message: (message) => {
        if (this.#receiver === receiver) this.#fromUpstream(message)
      },
      closed: (code, reason, error) => {
        if (this.#receiver === receiver) this.#upstreamClosed(code, reason, error)
      },
    }
    this.#receiver = receiver
    return receiver
  }

  opened(upstream: RealtimeUpstream, provider: string): void {
    this.#upstream = upstream
    this.provider = provider
    if (this.#closed) {
      this.#upstreamClosed(...this.#closed)
      return
    }
    this.#longest = setTimeout(() => this.end('longest-time'), this.#options.longestMs)
    this.#stayAwake()
  }

  /** Connects the client, which first gets what the upstream has sent so far. Called once. */
  attach(client: RealtimeClient): RealtimeControl {
    this.#client = client
    for (const message of this.#held) client.send(message)
    this.#held = []
    if (this.#over) client.close(...(this.#closed?.[2] ? upstreamFailed : closings['gateway-closed']))
    return {
      message: (message) => this.#fromClient(message),
      closed: () => this.end('client-left'),
    }
  }

  /** Ends the session on both sides. Later calls do nothing. */
  end(reason: SessionEnd): void {
    if (this.#over) return
    if (reason !== 'client-left') this.#client?.close(...closings[reason])
    this.#settle(reason === 'client-left' && !this.#client ? CLIENT_DISCONNECTED : 200)
  }

  #fromUpstream(message: string | Uint8Array): void {
    if (this.#over) return
    this.#stayAwake()
    const usage = turnUsageOf(message)
    if (usage) this.#answers.ended(usage)
    else this.#answers.received(message)
    if (this.#client) this.#client.send(message)
    else this.#hold(message)
    if (usage) this.#count(usage)
  }

  #fromClient(message: string | Uint8Array): void {
    if (this.#over || !this.#upstream) return
    this.#stayAwake()
    this.#upstream.send(message)
    this.#answers.sent(message)
    if (this.#upstream.bufferedBytes > this.#options.maxBufferedBytes) this.end('slow-upstream')
  }

  #hold(message: string | Uint8Array): void {
    this.#heldBytes += message.length
    if (this.#heldBytes <= MAX_HELD_BYTES) this.#held.push(message)
    else this.end('client-left')
  }

  #upstreamClosed(code: number, reason: string, error: ProviderError | undefined): void {
    if (this.#over) return
    this.#closed = [code, reason, error]
    if (!this.#upstream) return
    this.#client?.close(...(error ? upstreamFailed : passedOn(code, reason)))
    this.#settle(error ? statusOf(error) : 200, error)
  }

  /** Holds the tokens that an answer used against the budget, until the session is settled. */
  #count({ inputTokens, outputTokens, ...detail }: TurnUsage): void {
    this.#detail = sumOfDetails(this.#detail, detail)
    this.#inputTokens += inputTokens
    this.#outputTokens += outputTokens
    void this.#reserve(inputTokens + outputTokens)
  }

  async #reserve(tokens: number): Promise<void> {
    const reserved = await this.#options.reserve(tokens)
    if (reserved.isErr()) {
      if (!this.#over) this.#client?.send(BUDGET_EVENT)
      this.end('budget')
    } else if (this.#over) reserved.value.settle(released)
    else this.#reservations.push(reserved.value)
  }

  #stayAwake(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.end('idle'), this.#options.idleMs)
  }

  #settle(status: number, error?: ProviderError): void {
    this.#over = true
    clearTimeout(this.#idle)
    clearTimeout(this.#longest)
    this.#upstream?.close()
    for (const reservation of this.#reservations) reservation.settle(released)
    const cut = this.#answers.usage
    this.#options.onSettled({
      status,
      inputTokens: this.#inputTokens + (cut?.inputTokens ?? 0),
      outputTokens: this.#outputTokens + (cut?.outputTokens ?? 0),
      ...this.#detail,
      estimated: cut !== undefined,
      partial: cut !== undefined || error !== undefined,
      finishReasons: [],
      ...(error ? { errorType: error.type } : {}),
    })
  }
}
