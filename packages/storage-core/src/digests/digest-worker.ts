import { type NoticeKind, noticeKinds } from '../notices/notice.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'
import type { Digest, DigestRepository } from './digest-repository.ts'
import { digestText } from './digest-text.ts'
import type { Mailer } from './mailer.ts'
import { sendMail } from './send-mail.ts'

/** The most notices that a message lists. */
const MAXIMUM_LINES = 100
const SEND_TIMEOUT_MS = 60_000
const LEASE_MS = 2 * SEND_TIMEOUT_MS
const RETRY_MS = 60_000

export interface DigestRecipient {
  readonly to: string
  readonly kinds?: readonly NoticeKind[]
}

export interface DigestWorkerOptions {
  readonly repository: DigestRepository
  readonly mailer: Mailer
  readonly recipients: readonly DigestRecipient[]
  readonly digestMs: number
  readonly owner: string
  readonly now: () => Date
  readonly scheduler: Scheduler
  readonly onFault: (error: unknown) => void
}

/** Sends notices by e-mail. */
export interface DigestWorker {
  /** Adds the recipients to the store, who get notices from then on. */
  register(): Promise<void>
  /** Looks for digests that are due now. */
  wake(): void
  /** Stops after the message that is being sent. */
  stop(): Promise<void>
}

/** Creates a worker that sends to one recipient after the other. A message that fails is sent again after a minute. */
export function createDigestWorker(options: DigestWorkerOptions): DigestWorker {
  const { repository, mailer, recipients, digestMs, owner, now, scheduler, onFault } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  const after = (milliseconds: number) => new Date(now().getTime() + milliseconds)

  async function send(to: string, digest: Digest): Promise<void> {
    if (digest.notices.length === 0) return
    const mail = { id: await idOf(to, digest), to, ...digestText(digest) }
    await sendMail({ mailer, scheduler, timeoutMs: SEND_TIMEOUT_MS }, mail)
  }

  async function look({ to, kinds = noticeKinds }: DigestRecipient): Promise<void> {
    const digest = await repository.claim({
      recipient: to,
      kinds,
      before: after(-digestMs),
      limit: MAXIMUM_LINES,
      owner,
      now: now(),
      leaseUntil: after(LEASE_MS),
    })
    if (!digest) return
    try {
      await send(to, digest)
    } catch (error) {
      onFault(error)
      await repository.release(to, owner, after(RETRY_MS))
      return
    }
    await repository.sent(to, owner, now())
  }

  async function lookAtAll(): Promise<void> {
    for (const recipient of recipients) if (!signal.aborted) await look(recipient).catch(onFault)
  }

  return {
    register: async () => {
      for (const { to } of recipients) await repository.register(to)
    },
    wake: () => {
      if (signal.aborted) return
      running ??= lookAtAll().finally(() => {
        running = undefined
      })
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** The same for the same digest, in each process. */
async function idOf(to: string, { until, notices }: Digest): Promise<string> {
  const text = [to, until, notices[0]?.notice.id].join('\n')
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(hash).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
