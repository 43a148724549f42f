import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { changeParameters, listParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { listOf } from '../wire-schemas.ts'
import { RECIPIENTS_PATH } from './mail-records.ts'

const recipient = v.pipe(
  v.partial(
    v.object({
      address: v.string(),
      kinds: v.pipe(v.array(v.string()), v.description('The kinds of notices that the recipient gets.')),
    }),
  ),
  v.title('MailRecipient'),
)

const tested = v.pipe(
  v.object({
    delivered: v.pipe(v.boolean(), v.description('Whether the mail server has accepted the message.')),
    message: v.optional(v.pipe(v.string(), v.description('Why it was not sent.'))),
  }),
  v.title('MailTest'),
)

const tags = ['events']

export const mailOperations = defineContract({
  listMailRecipients: {
    method: 'GET',
    path: RECIPIENTS_PATH,
    tags,
    summary: 'Lists the recipients of notices by e-mail',
    query: listParameters(['address']),
    responses: { 200: listOf(recipient), ...failureResponses },
  },
  testMailRecipient: {
    method: 'POST',
    path: `${RECIPIENTS_PATH}/{address}/test`,
    tags,
    summary: 'Sends a test to a recipient, once, and returns whether the mail server accepted it',
    params: v.object({ address: v.string() }),
    query: changeParameters,
    responses: { 200: tested, ...failureResponses },
  },
})
