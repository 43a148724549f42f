import { fetchHandler } from '@trivium/fetch-adapter'
import { adminCheck } from '@trivium/http-contract'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage, ServiceClosed, StoreFailure } from '@trivium/storage-core'
import { storageContract, storageRoutes } from '@trivium/storage-core/http'
import type { JobFailureType } from '@trivium/storage-core/ports'
import * as v from 'valibot'
import { notPermitted, tooManyPasswords } from '../../packages/storage-core/src/http/access/admission.ts'
import { codes } from '../../packages/storage-core/src/http/errors/error-codes.ts'
import { answerNotes, errorNotes, jobFailureNotes } from '../../packages/storage-core/src/http/errors/error-notes.ts'
import { failures } from '../../packages/storage-core/src/http/errors/failures.ts'
import { jobFailure } from '../../packages/storage-core/src/http/errors/job-failure.ts'
import { type StorageError, toFailure } from '../../packages/storage-core/src/http/errors/to-failure.ts'
import { type Examples, entriesOfAnswers, type RefusedRequest } from './answers.ts'
import { type ErrorCatalogue, type GroupedEntry, groupsOf, outcomeEntries } from './catalogue.ts'
import { inputFailureOf } from './input-failure.ts'

const RULES = '/api/storage/quota/rules'

const admin = { authorization: `Basic ${btoa('admin:secret')}` }
const get = (path: string): RefusedRequest => ({ path, headers: admin })
const send = (method: 'POST' | 'PATCH', path: string, body: string): RefusedRequest => ({
  method,
  path,
  headers: { ...admin, 'content-type': 'application/json' },
  body,
})

const operation = storageContract.createQuotaRule

const examples: Examples<typeof answerNotes> = {
  tooManyPasswords: tooManyPasswords(1),
  notPermitted,
  unauthorized: { path: RULES },
  unknownAddress: get('/api/storage/nothing'),
  unknownField: get(`${RULES}?nonsense=1`),
  invalidParameter: get(`${RULES}?max_records=many`),
  invalidFilter: get(`${RULES}?space.hard_limit=>much`),
  unknownSelection: get(`${RULES}?fields=nonsense`),
  queryWithoutFields: get(`${RULES}?query=x`),
  repeatedField: get(`${RULES}?fields=*&fields=svm`),
  defaultRecordsOfOne: get('/api/storage/quota/reports/volume/1?show_default_records=true'),
  missingBody: send('POST', RULES, ''),
  missingField: send('POST', RULES, '{"svm":{"name":"svm1"}}'),
  invalidField: send('POST', RULES, '{"type":"nonsense"}'),
  unexpectedArray: send('POST', RULES, '{"type":["tree"]}'),
  sizeOutOfRange: send('POST', RULES, '{"type":"tree","space":{"hard_limit":9223372036854775808}}'),
  inexactNumber: inputFailureOf(operation, { type: 'tree', space: { hard_limit: 2 ** 53 } }, failures),
  fieldNotSettable: send('PATCH', `${RULES}/uuid`, '{"type":"user"}'),
  collectionWithoutQuery: send('PATCH', RULES, '{"space":{"hard_limit":1}}'),
  unexpectedBody: {
    method: 'DELETE',
    path: `${RULES}/uuid`,
    headers: { ...admin, 'content-length': '7' },
    body: '{"a":1}',
  },
  partialBackup: send(
    'POST',
    '/api/storage/file/clone',
    '{"volume":{"name":"vol1"},"source_path":"a","destination_path":"b","is_backup":true,"range":["0:0:1"]}',
  ),
  unsupportedCloneFlag: send(
    'POST',
    '/api/storage/file/clone',
    '{"volume":{"name":"vol1"},"source_path":"a","destination_path":"b","autodelete":true}',
  ),
  volumeNotSplit: send('PATCH', '/api/storage/volumes/uuid', '{"clone":{"split_initiated":true}}'),
  methodNotAllowed: failures.methodNotAllowed('PUT', 'GET, HEAD, OPTIONS, POST'),
  malformed: failures.malformed("{the parser's message}", operation),
  tooLarge: failures.tooLarge(2 ** 20, operation),
  storeUnavailable: failures.unexpected(new StoreFailure('unavailable'), operation),
  closed: failures.unexpected(new ServiceClosed('storage'), operation),
  fault: failures.unexpected(new Error('a fault'), operation),
}

const failureBody = v.object({ error: v.object({ code: v.string(), message: v.string() }) })

const codeAndMessageOf = (body: unknown): { readonly code: string; readonly message: string } =>
  v.parse(failureBody, body).error

async function answered(): Promise<readonly GroupedEntry[]> {
  const storage = createStorage({
    volumes: [{ name: 'vol1', backend: simulatedVolume() }],
  })
  await storage.start()
  const handle = fetchHandler(storageRoutes(storage, { admin: adminCheck('secret') }))
  const entries = await entriesOfAnswers({ notes: answerNotes, examples, handle, codeAndMessageOf })
  await storage.close()
  return entries
}

const outcomes = outcomeEntries<StorageError>(errorNotes, (error) => {
  const { status, code, message } = toFailure(error)
  return { status, code: String(code), message }
})

const jobFailures: readonly GroupedEntry[] = Object.entries(jobFailureNotes).map(([type, note]) => {
  // The table has an entry for each type, and no others.
  const { status, code, message } = jobFailure({ type: type as JobFailureType, message: `{${type}: the reason}` })
  return { group: 'How jobs fail', status, code: String(code), message, ...note }
})

export async function storageCatalogue(): Promise<ErrorCatalogue> {
  const entries = [...(await answered()), ...outcomes, ...jobFailures]
  const listed = new Set(entries.map(({ code }) => code))
  const missing = Object.entries(codes).filter(([, code]) => !listed.has(String(code)))
  if (missing.length > 0) throw new Error(`there is no entry of ${missing.map(([name]) => name).join(', ')}`)
  return {
    title: 'Errors of storage',
    codeTitle: 'code',
    introduction: `Every error has ONTAP's shape: \`{"error": {"message", "code", "target"}}\`. \`code\` is a string of digits, the code of ONTAP
for the case. \`target\` names the field. \`{…}\` in a message stands for a part that differs.

A change that takes long is a job. A request that waits for it (\`return_timeout\`) is answered with its failure. Otherwise
\`GET /api/cluster/jobs/{uuid}\` returns it. A failed job can have changed something: a quota rule that could not be enforced
stays.`,
    groups: groupsOf(entries),
  }
}
