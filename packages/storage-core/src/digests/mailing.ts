import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { NoticeKind } from '../notices/notice.ts'
import { noticeKinds } from '../notices/notice.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'
import type { MailOptions } from '../storage-options.ts'
import { sendMail } from './send-mail.ts'

/** The time for which a test waits for the mailer. */
const TEST_TIMEOUT_MS = 20_000

/** The most characters of a mailer's error that are returned. */
const MAXIMUM_FAILURE = 500

/** The most characters of an address. */
export const MAXIMUM_ADDRESS = 254

/** No recipient has that address. */
export interface MailError {
  readonly type: 'mail-recipient-not-found'
  readonly address: string
}

/** A recipient of notices by e-mail. */
export interface MailingRecipient {
  readonly address: string
  /** The kinds of notices that the recipient gets. */
  readonly kinds: readonly NoticeKind[]
}

/** What became of a test. `failure` is the text of the mailer's error, at most 500 characters. */
export type MailResult = { readonly type: 'accepted' } | { readonly type: 'refused'; readonly failure: string }

/** The e-mail of this process. */
export interface Mailing {
  /** Returns the recipients of the option `mail`, in its order. Empty without it. */
  recipients(): readonly MailingRecipient[]
  /** Sends a message without notices to a recipient now, once. Waits for at most 20 seconds. */
  test(address: string): ResultAsync<MailResult, MailError>
}

export interface MailingOptions {
  readonly mail: MailOptions | undefined
  readonly scheduler: Scheduler
  readonly now: () => Date
}

export function createMailing({ mail, scheduler, now }: MailingOptions): Mailing {
  const recipients = (mail?.recipients ?? []).map(({ to, kinds = noticeKinds }) => ({ address: to, kinds }))

  async function test(address: string): Promise<Result<MailResult, MailError>> {
    if (!mail || !recipients.some((recipient) => recipient.address === address)) {
      return err({ type: 'mail-recipient-not-found', address } as const)
    }
    const text = `This is a test, requested at ${now().toISOString()}. Notices of the storage are sent to this address.\n`
    const message = { id: crypto.randomUUID().replaceAll('-', ''), to: address, subject: 'Trivium: test', text }
    try {
      await sendMail({ mailer: mail.mailer, scheduler, timeoutMs: TEST_TIMEOUT_MS }, message)
      return ok({ type: 'accepted' } as const)
    } catch (error) {
      const failure = error instanceof Error ? error.message : 'The mailer failed.'
      return ok({ type: 'refused', failure: failure.slice(0, MAXIMUM_FAILURE) } as const)
    }
  }

  return { recipients: () => recipients, test: (address) => new ResultAsync(test(address)) }
}
