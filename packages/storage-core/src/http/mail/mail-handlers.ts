import type { Handlers } from '@trivium/http-contract'
import { errAsync } from 'neverthrow'
import { MAXIMUM_ADDRESS, type MailError, type MailResult } from '../../digests/mailing.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords } from '../collections/list-records.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import type { mailOperations } from './mail-operations.ts'
import { recipientSource } from './mail-records.ts'

export function mailHandlers({ storage }: HandlerOptions): Handlers<typeof mailOperations, Caller> {
  const { mailing } = storage
  const source = recipientSource(storage)
  return {
    listMailRecipients: (call) => listRecords(call, source),
    testMailRecipient: ({ rawQuery, caller, params: { address } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => {
          // Recipients are those of the whole storage, of which a user sees none.
          const isKnowable = !caller.sight && address.length <= MAXIMUM_ADDRESS
          const absent: MailError = { type: 'mail-recipient-not-found', address }
          return (isKnowable ? mailing.test(address) : errAsync(absent)).mapErr(toFailure)
        })
        .match(
          (result) => jsonAnswer(caller, 200, testToWire(result)),
          (failure) => failureAnswer(caller, failure),
        ),
  }
}

const testToWire = (result: MailResult) =>
  result.type === 'accepted' ? { delivered: true } : { delivered: false, message: result.failure }
