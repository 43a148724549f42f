import { StoreFailure } from '@trivium/emulation-core'
import { emulationContract } from '@trivium/emulation-core/http'
import type { Reply } from '@trivium/http-contract'
import * as v from 'valibot'
import { unauthorized } from '../../packages/emulation-core/src/http/access/admission.ts'
import { errorMessages } from '../../packages/emulation-core/src/http/errors/error-messages.ts'
import { failures } from '../../packages/emulation-core/src/http/errors/failures.ts'
import { type ErrorCatalogue, type GroupedEntry, groupsOf } from './catalogue.ts'
import { emulationOutcomes } from './emulation-outcomes.ts'
import { inputFailureOf } from './input-failure.ts'

const ACCESS = 'Access'
const REQUEST = 'The request itself'
const SERVER = 'The server'

const operation = emulationContract.createProject

const replies: readonly (Omit<GroupedEntry, 'code' | 'status' | 'message'> & { readonly reply: Reply })[] = [
  {
    group: ACCESS,
    reply: unauthorized,
    when: "The admin's credentials are missing or wrong, or a page of another origin sent HTTP Basic.",
    remedy: "Send the admin's password: `curl -u admin:…`, or as a Bearer token.",
  },
  {
    group: REQUEST,
    reply: failures.malformed("{the parser's own words}", operation),
    when: 'The body is not JSON.',
    remedy: 'Send valid JSON; `{}` where nothing is to be said.',
  },
  {
    group: REQUEST,
    reply: inputFailureOf(operation, { nonsense: 1 }, failures),
    when: 'A field that the operation does not know.',
    remedy: 'Leave it out; it may be misspelt.',
  },
  {
    group: REQUEST,
    reply: inputFailureOf(operation, { temporary: 'maybe' }, failures),
    when: 'A field has a wrong type, or is out of its bounds; the message names it.',
    remedy: 'Mend it as the message says.',
  },
  {
    group: REQUEST,
    reply: inputFailureOf(emulationContract.createEmu3, {}, failures),
    when: 'A field that has to be there is missing.',
    remedy: 'Add it.',
  },
  {
    group: REQUEST,
    reply: failures.methodNotAllowed('PATCH', 'GET, HEAD, OPTIONS, POST'),
    when: 'The path exists, with other methods.',
    remedy: 'Use one of the header `Allow`.',
  },
  {
    group: REQUEST,
    reply: failures.tooLarge(2 ** 20, operation),
    when: 'The body is larger than the operation takes.',
    remedy: 'Send less.',
  },
  {
    group: SERVER,
    reply: failures.unexpected(new StoreFailure('away'), operation),
    when: 'The database is away; what runs goes on.',
    remedy: 'Send it again after a second.',
  },
  {
    group: SERVER,
    reply: failures.unexpected(new Error('a fault'), operation),
    when: 'A fault in the server, or in a part that the host gave.',
    remedy: "The operator looks into the host's log (`onFault`).",
  },
]

const failureBody = v.object({ message: v.string() })

const replied: readonly GroupedEntry[] = replies.map(({ reply, ...told }) => ({
  ...told,
  code: '',
  status: reply.status,
  message: v.parse(failureBody, 'value' in reply ? reply.value : undefined).message,
}))

const outcomes: readonly GroupedEntry[] = Object.values(emulationOutcomes).flatMap(({ group, told }) =>
  told.map(({ outcome, when, remedy }) => ({ group, code: outcome.type, ...errorMessages(outcome), when, remedy })),
)

export const emulationCatalogue: ErrorCatalogue = {
  title: 'Errors of emulation',
  codeTitle: 'type',
  introduction: `Every error has the shape of the interface that it keeps to: \`{"message", "status"}\`. Programs go by the status; the words are
for people. \`type\` is what a host reads in \`EmulationError\` when it calls the services itself. \`{…}\` in a message stands for
what differs, as numbers and kinds do.`,
  groups: groupsOf([...replied, ...outcomes]),
}
