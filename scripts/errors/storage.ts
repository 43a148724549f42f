import { fetchHandler } from '@trivium/fetch-adapter'
import { adminCheck, type Reply } from '@trivium/http-contract'
import { memoryStorageRepositories } from '@trivium/memory-repositories/storage'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage, StoreFailure } from '@trivium/storage-core'
import { storageContract, storageRoutes } from '@trivium/storage-core/http'
import type { JobFailureType } from '@trivium/storage-core/ports'
import * as v from 'valibot'
import { toFailure } from '../../packages/storage-core/src/http/errors/domain-failures.ts'
import { codes } from '../../packages/storage-core/src/http/errors/error-codes.ts'
import { storageFailures } from '../../packages/storage-core/src/http/errors/failures.ts'
import { jobFailure } from '../../packages/storage-core/src/http/errors/job-failures.ts'
import { answerTo, type RefusedRequest } from './answers.ts'
import { type ErrorCatalogue, type GroupedEntry, groupsOf } from './catalogue.ts'
import { jobOutcomes, storageOutcomes } from './storage-outcomes.ts'

const RULES = '/api/storage/quota/rules'
const ACCESS = 'Access and addresses'
const REQUEST = 'The request itself'
const SERVER = 'The server'

interface ToldRequest {
  readonly group: string
  readonly request: RefusedRequest
  readonly when: string
  readonly remedy: string
}

const admin = { authorization: `Basic ${btoa('admin:secret')}` }
const get = (path: string): RefusedRequest => ({ path, headers: admin })
const send = (method: 'POST' | 'PATCH', path: string, body: string): RefusedRequest => ({
  method,
  path,
  headers: { ...admin, 'content-type': 'application/json' },
  body,
})

const requests: readonly ToldRequest[] = [
  {
    group: ACCESS,
    request: { path: RULES },
    when: "The admin's credentials are missing or wrong, or a page of another origin sent HTTP Basic.",
    remedy: "Send the admin's name and password.",
  },
  {
    group: ACCESS,
    request: get('/api/storage/nothing'),
    when: 'No endpoint has this address.',
    remedy: 'See the API reference for those that are there.',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?nonsense=1`),
    when: 'A filter, or a field of the body, that the endpoint does not know.',
    remedy: 'Mend its name; `ignore_unknown_fields=true` lets filters pass.',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?max_records=many`),
    when: 'A parameter with a value that it can not have.',
    remedy: 'Mend the value.',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?space.hard_limit=>much`),
    when: 'A filter with a value that the field can not have.',
    remedy: 'Mend the value: see [queries](../storage.md).',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?fields=nonsense`),
    when: '`fields` names what no record has.',
    remedy: 'Leave it out, or ask for `fields=*`.',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?query=x`),
    when: '`query` without the fields that it is for.',
    remedy: 'Add `query_fields`.',
  },
  {
    group: REQUEST,
    request: get(`${RULES}?fields=*&fields=svm`),
    when: 'A parameter, or a field of the body, that is there twice: dotted and nested say.',
    remedy: 'Send it once.',
  },
  {
    group: REQUEST,
    request: get('/api/storage/quota/reports/volume/1?show_default_records=true'),
    when: '`show_default_records` on one record.',
    remedy: 'Ask the collection.',
  },
  {
    group: REQUEST,
    request: send('POST', RULES, ''),
    when: 'A body is needed and there is none, or it is no object.',
    remedy: 'Send one.',
  },
  {
    group: REQUEST,
    request: send('POST', RULES, '{"svm":{"name":"svm1"}}'),
    when: 'A field that has to be there is missing.',
    remedy: 'Add it.',
  },
  {
    group: REQUEST,
    request: send('POST', RULES, '{"type":"nonsense"}'),
    when: 'A field with a value that it can not have; the message ends in what is expected.',
    remedy: 'Mend the value.',
  },
  {
    group: REQUEST,
    request: send('POST', RULES, '{"type":["tree"]}'),
    when: 'An array where one value is expected.',
    remedy: 'Send the value alone.',
  },
  {
    group: REQUEST,
    request: send('POST', RULES, '{"type":"tree","space":{"hard_limit":9007199254740993}}'),
    when: 'A number that JSON can not carry exactly.',
    remedy: 'Send it as a text with a unit, or smaller.',
  },
  {
    group: REQUEST,
    request: send('PATCH', `${RULES}/uuid`, '{"type":"user"}'),
    when: 'A field that exists, where it can not be set.',
    remedy: 'Leave it out; make the record anew where it must differ.',
  },
  {
    group: REQUEST,
    request: send('PATCH', RULES, '{"space":{"hard_limit":1}}'),
    when: 'A collection is to be changed without saying which of its records.',
    remedy: 'Add a filter.',
  },
  {
    group: REQUEST,
    request: { method: 'DELETE', path: `${RULES}/uuid`, headers: { ...admin, 'content-length': '7' }, body: '{"a":1}' },
    when: 'A body on a request that can have none.',
    remedy: 'Leave the body out.',
  },
  {
    group: 'Clones, tokens, splits',
    request: send(
      'POST',
      '/api/storage/file/clone',
      '{"volume":{"name":"vol1"},"source_path":"a","destination_path":"b","is_backup":true,"range":["0:0:1"]}',
    ),
    when: '`is_backup` with `range`.',
    remedy: 'Leave `is_backup` out.',
  },
  {
    group: 'Clones, tokens, splits',
    request: send(
      'POST',
      '/api/storage/file/clone',
      '{"volume":{"name":"vol1"},"source_path":"a","destination_path":"b","autodelete":true}',
    ),
    when: '`is_backup` or `autodelete`, which nothing here carries out.',
    remedy: 'Leave it out.',
  },
]

const failureBody = v.object({ error: v.object({ code: v.string(), message: v.string() }) })

const wordsOf = (body: unknown): { readonly code: string; readonly message: string } => v.parse(failureBody, body).error

async function answered(): Promise<readonly GroupedEntry[]> {
  const storage = createStorage({
    repositories: memoryStorageRepositories(),
    volumes: [{ name: 'vol1', backend: simulatedVolume() }],
  })
  await storage.start()
  const handle = fetchHandler(storageRoutes(storage, { admin: adminCheck('secret') }))
  const entries: GroupedEntry[] = []
  for (const { request, ...told } of requests) {
    const { status, body } = await answerTo(handle, request)
    entries.push({ ...told, status, ...wordsOf(body) })
  }
  await storage.close()
  return entries
}

const failures = storageFailures({ knownFields: () => new Set() })
const operation = storageContract.createQuotaRule

const replies: readonly (Omit<GroupedEntry, 'code' | 'status' | 'message'> & { readonly reply: Reply })[] = [
  {
    group: ACCESS,
    reply: failures.methodNotAllowed('PUT', 'GET, HEAD, OPTIONS, POST'),
    when: 'The path exists, with other methods.',
    remedy: 'Use one that the message names.',
  },
  {
    group: REQUEST,
    reply: failures.malformed("{the parser's own words}", operation),
    when: 'The body is not JSON.',
    remedy: 'Send valid JSON.',
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
    when: 'The database is away; jobs wait.',
    remedy: 'Send it again after a second.',
  },
  {
    group: SERVER,
    reply: failures.unexpected(new Error('a fault'), operation),
    when: 'A fault in the server, or in a part that the host gave.',
    remedy: "The operator looks into the host's log (`onFault`).",
  },
]

const replied: readonly GroupedEntry[] = replies.map(({ reply, ...told }) => ({
  ...told,
  status: reply.status,
  ...wordsOf('value' in reply ? reply.value : undefined),
}))

const outcomes: readonly GroupedEntry[] = Object.values(storageOutcomes).flatMap(({ group, told }) =>
  told.map(({ outcome, when, remedy }) => {
    const { status, code, message } = toFailure(outcome)
    return { group, status, code: String(code), message, when, remedy }
  }),
)

const ended: readonly GroupedEntry[] = Object.entries(jobOutcomes).map(([type, [when, remedy]]) => {
  // The table has an entry for each type, and no others.
  const { status, code, message } = jobFailure({ type: type as JobFailureType, message: `{${type}: what went wrong}` })
  return { group: 'How jobs fail', status, code: String(code), message, when, remedy }
})

export async function storageCatalogue(): Promise<ErrorCatalogue> {
  const entries = [...(await answered()), ...replied, ...outcomes, ...ended]
  const told = new Set(entries.map(({ code }) => code))
  const missing = Object.entries(codes).filter(([, code]) => !told.has(String(code)))
  if (missing.length > 0) throw new Error(`No entry tells of ${missing.map(([name]) => name).join(', ')}`)
  return {
    title: 'Errors of storage',
    codeTitle: 'code',
    introduction: `Every error has ONTAP's shape: \`{"error": {"message", "code", "target"}}\`. \`code\` is a text of digits, and the one that ONTAP has
for the case; \`target\` names the field. \`{…}\` in a message stands for what differs.

A change that takes long is a job. A request that waits for it (\`return_timeout\`) is answered with its failure; otherwise
\`GET /api/cluster/jobs/{uuid}\` has it. A job that failed may have changed something all the same: a quota rule that could not
be enforced stays.`,
    groups: groupsOf(entries),
  }
}
