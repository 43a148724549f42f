import { accountOf } from '../accounts/account.ts'
import { type BatchWriter, createBatchWriter, type DropReason } from '../batches/batch-writer.ts'
import type { Caller } from '../caller.ts'
import { compilePatterns } from '../patterns/compile-patterns.ts'
import { Turns } from '../turns.ts'
import type { CapturedContent } from './captured-content.ts'
import type { LoggedAttempt, LoggedRequest } from './logged-request.ts'
import { type Mask, redactedText } from './redacted-text.ts'
import { stoppedMessage } from './refusal-message.ts'
import { MAX_ERROR_MESSAGE, MAX_UNMASKED_MESSAGE } from './request-log-bounds.ts'
import type { CheckedRequestLogOptions } from './request-log-options.ts'
import type { RequestLogRepository } from './request-log-repository.ts'

export interface RequestLogWriterParts {
  readonly repository: Pick<RequestLogRepository, 'append'>
  readonly random: () => number
  /** Called with the number of entries that are lost, and the reason. */
  readonly onDropped: (count: number, reason: LogDropReason) => void
  readonly onFault: (error: unknown) => void
}

/** Why an entry is lost. `refusals`: more requests were refused than the log keeps. */
export type LogDropReason = DropReason | 'refusals'

/** Writes the request log in batches, so that requests do not wait for the store. */
export interface RequestLogWriter extends Pick<BatchWriter<unknown>, 'flush' | 'close'> {
  /** Adds a request that was admitted and has ended. Some successful ones are left out, as the host's `sample` says. */
  ended(entry: LoggedRequest, content: CapturedContent | undefined): void
  /** Adds a request that was refused, unless too many of its caller or in all were refused in this second. */
  refused(caller: Caller, entryOf: () => LoggedRequest, content: CapturedContent | undefined): void
}

interface WaitingEntry {
  readonly entry: LoggedRequest
  /** Its texts are masked when the entry is written. */
  readonly content: CapturedContent | undefined
}

const BATCH = 200
const FLUSH_MS = 200
const RETRY_MS = 1_000
/** The most characters of texts that wait. */
const MAX_WAITING = 2 ** 26

/** @throws TypeError for the name of a pattern that does not exist @throws RangeError for a capacity that is out of range */
export function createRequestLogWriter(
  { sample, redact, redactExpressions, capacity }: CheckedRequestLogOptions,
  { repository, random, onDropped, onFault }: RequestLogWriterParts,
): RequestLogWriter {
  const hasPatterns = redact.length > 0 || Object.keys(redactExpressions).length > 0
  const { maskInTurns } = compilePatterns({ names: redact, expressions: redactExpressions })
  const maskWithin =
    (turns: Turns): Mask =>
    async (text, isCut) =>
      hasPatterns ? maskInTurns(text, { turns, isCut }) : text
  const storedOf = async ({ entry, content }: WaitingEntry, mask: Mask): Promise<LoggedRequest> => {
    const attempts: LoggedAttempt[] = []
    for (const attempt of entry.attempts) attempts.push(await withMessage(attempt, mask))
    return { ...(await withMessage(entry, mask)), attempts, ...(await content?.texts(mask)) }
  }

  const write = async (batch: readonly WaitingEntry[]) => {
    const stored: LoggedRequest[] = []
    const turns = new Turns()
    const mask = maskWithin(turns)
    for (const waiting of batch) {
      stored.push(await storedOf(waiting, mask))
      if (turns.isDue) await turns.next()
    }
    await repository.append(stored)
  }

  const writer = createBatchWriter<WaitingEntry>(
    { capacity, batchSize: BATCH, flushMs: FLUSH_MS, retryMs: RETRY_MS },
    {
      option: 'requestLog',
      write,
      sizeOf: ({ content }) => content?.size ?? 0,
      maxSize: MAX_WAITING,
      onDropped: (entries, reason) => onDropped(entries.length, reason),
      onFault,
    },
  )
  const refusals = new RefusalBound()

  return {
    ended(entry, content) {
      const endedAt = performance.now()
      const add = () => {
        const answered = content ? answeredEntry(entry, content, performance.now() - endedAt) : entry
        const isSuccess = answered.errorType === undefined && answered.status < 400
        if (!isSuccess || sample === 1 || random() < sample) writer.add({ entry: answered, content })
      }
      if (content) content.whenDone(add)
      else add()
    },
    refused(caller, entryOf, content) {
      if (refusals.accepts(accountOf(caller)?.id ?? caller.type)) writer.add({ entry: entryOf(), content })
      else onDropped(1, 'refusals')
    },
    flush: writer.flush,
    close: writer.close,
  }
}

/**
 * Returns the entry of a request whose upstream has answered, once the client has the answer. One that guardrails have
 * stopped is a complete answer for the client, and its upstream is perhaps not read to its end.
 */
function answeredEntry(entry: LoggedRequest, { stopped }: CapturedContent, afterMs: number): LoggedRequest {
  const latencyMs = entry.latencyMs + Math.round(afterMs)
  if (!stopped) return { ...entry, latencyMs }
  const errorMessage = stoppedMessage(stopped)
  return {
    ...entry,
    latencyMs,
    status: 200,
    errorType: stopped.type,
    ...(errorMessage !== undefined && { errorMessage }),
  }
}

/** Masks the message of an error before it is cut. */
async function withMessage<Logged extends { readonly errorMessage?: string }>(
  logged: Logged,
  mask: Mask,
): Promise<Logged> {
  const { errorMessage: text } = logged
  if (text === undefined) return logged
  const masked = await redactedText({ text, isCut: text.length === MAX_UNMASKED_MESSAGE }, mask)
  return { ...logged, errorMessage: masked.slice(0, MAX_ERROR_MESSAGE) }
}

const SECOND_MS = 1_000
const MOST_OF_CALLER = 5
const MOST_OF_ALL = 50

/** Bounds the refused requests in a second, so that a flood of them cannot fill the store. */
class RefusalBound {
  readonly #counts = new Map<string, number>()
  #all = 0
  #since = Number.NEGATIVE_INFINITY

  accepts(caller: string): boolean {
    const now = performance.now()
    if (now - this.#since >= SECOND_MS) {
      this.#since = now
      this.#all = 0
      this.#counts.clear()
    }
    const count = this.#counts.get(caller) ?? 0
    if (this.#all >= MOST_OF_ALL || count >= MOST_OF_CALLER) return false
    this.#all += 1
    this.#counts.set(caller, count + 1)
    return true
  }
}
