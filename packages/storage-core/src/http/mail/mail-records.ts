import type { Storage } from '../../create-storage.ts'
import type { MailingRecipient } from '../../digests/mailing.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { kindToWire } from '../notices/notice-records.ts'

export const RECIPIENTS_PATH = '/api/support/mail/recipients'

const catalogue = defineFields<MailingRecipient>()({ address: { type: 'string', read: ({ address }) => address } }, [
  'address',
])

type RecipientField = keyof typeof catalogue.fields

export const recipientSource = ({ mailing }: Storage): RecordSource<MailingRecipient, RecipientField> => ({
  records: {
    path: RECIPIENTS_PATH,
    catalogue,
    fields: { address: { field: 'address' } },
    computed: new Set(['kinds']),
  },
  list: (request) => asResult(Promise.resolve(pageInMemory(catalogue, mailing.recipients(), request))),
  count: (query) => asResult(Promise.resolve(mailing.recipients().filter(compileQuery(catalogue, query)).length)),
  // Without a link: a recipient has no path of its own.
  toWire: ({ address, kinds }) => ({ address, kinds: kinds.map(kindToWire) }),
  belonging: { to: 'storage', key: 'address' },
})
