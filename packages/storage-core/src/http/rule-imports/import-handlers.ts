import { ByteCollector, type Handlers, type Upload } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'
import type { Job } from '../../jobs/job.ts'
import { hasEnded } from '../../jobs/jobs.ts'
import type { Position } from '../../query/page.ts'
import type { AppliedRuleImport, RuleImport } from '../../rule-imports/rule-import.ts'
import { mapInTurns } from '../../scheduling/map-in-turns.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { readListRequest } from '../collections/list-records.ts'
import { invalidParameter, unexpectedArgument } from '../collections/parameters.ts'
import { type Failure, failure, failureBody } from '../errors/failure.ts'
import { jobFailure } from '../errors/job-failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { jobReference } from '../jobs/answer-job.ts'
import { RULES_PATH, ruleSource } from '../quota-rules/rule-records.ts'
import { svmOf } from '../requests/change-request.ts'
import { exportRules, RULES_PER_PAGE } from './export-rules.ts'
import { formatOf, type RuleFormat, ruleFormats } from './import-formats.ts'
import type { ruleImportOperations } from './import-operations.ts'
import { type ImportParameters, readImportParameters } from './import-parameters.ts'
import { changeToWire, countsOf } from './import-records.ts'
import { readRules } from './read-rules.ts'

/** Some milliseconds. */
const CHANGES_IN_TURN = 200

export function ruleImportHandlers({ storage }: HandlerOptions): Handlers<typeof ruleImportOperations, Caller> {
  const { ruleImports, quotaRules, jobs, now } = storage
  const source = ruleSource(storage)

  /** Waits for jobs until the deadline, and returns those that have not ended as they are. */
  async function waitFor(started: readonly Job[], seconds: number, ending: AbortSignal): Promise<readonly Job[]> {
    const deadline = now().getTime() + seconds * 1000
    const waited: Job[] = []
    for (const job of started) {
      const left = deadline - now().getTime()
      waited.push(hasEnded(job) || left <= 0 || seconds === 0 ? job : await jobs.wait(job, left, ending))
    }
    return waited
  }

  function answerApplied(applied: AppliedRuleImport, caller: Caller, waited: readonly Job[]) {
    const references = waited.length > 0 ? { jobs: waited.map((job) => jobReference(job, caller)) } : {}
    const body = { ...countsOf(applied), ...references }
    const failed = waited.find((job) => job.failure)?.failure
    if (!failed) return jsonAnswer(caller, waited.every(hasEnded) ? 200 : 202, body)
    const failing = jobFailure(failed)
    return jsonAnswer(caller, failing.status, { ...failureBody(failing), ...body })
  }

  return {
    importQuotaRules: async ({ rawQuery, caller, ending, upload }) => {
      const parameters = readImportParameters(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const { dryRun, maxRecords, returnTimeout } = parameters.value
      const request = await readImport(upload, parameters.value, caller)
      if (request.isErr()) return failureAnswer(caller, request.error)
      if (dryRun) {
        const planned = await ruleImports.plan(request.value)
        if (planned.isErr()) return failureAnswer(caller, toFailure(planned.error))
        const shown = planned.value.changes.slice(0, maxRecords)
        const records = await mapInTurns(shown, CHANGES_IN_TURN, (change) => changeToWire(change, caller))
        return jsonAnswer(caller, 200, { dry_run: true, ...countsOf(planned.value), records })
      }
      const applied = await ruleImports.apply(request.value, { description: `POST ${RULES_PATH}/import` })
      if (applied.isErr()) return failureAnswer(caller, toFailure(applied.error))
      return answerApplied(applied.value, caller, await waitFor(applied.value.jobs, returnTimeout, ending))
    },
    exportQuotaRules: async ({ rawQuery, caller }) => {
      const read = readExport(rawQuery).andThen(({ format, query }) =>
        readListRequest(query, caller, source).map(({ page }) => ({ format, page })),
      )
      if (read.isErr()) return failureAnswer(caller, read.error)
      const { format, page } = read.value
      const charset = format === 'csv' ? '; charset=utf-8' : ''
      const readPage = (start?: Position) =>
        quotaRules.list({ query: page.query, order: page.order, limit: RULES_PER_PAGE, ...(start && { start }) })
      // A store that fails for the first page is still answered with a status.
      const first = await readPage(page.start)
      return {
        status: 200,
        headers: {
          'content-type': `${ruleFormats[format][0]}${charset}`,
          'content-disposition': `attachment; filename="quota-rules.${format}"`,
        },
        body: exportRules(format, first, readPage),
      }
    },
  }
}

async function readImport(
  { contentType, chunks }: Upload,
  { deleteMissing, defaults }: ImportParameters,
  caller: Caller,
): Promise<Result<RuleImport, Failure>> {
  const format = formatOf(contentType)
  if (!format) return err(unsupportedType(contentType))
  const svm = svmOf(defaults.svm, caller.svm)
  if (svm.isErr()) return err(svm.error)
  const collector = new ByteCollector()
  for await (const chunk of chunks) collector.add(chunk)
  const { volume } = defaults
  const among = caller.sight && { among: caller.sight.volumes }
  return (await readRules(collector.bytes(), { format, caller, defaults })).map((rules) => ({
    rules,
    deleteMissing,
    ...(deleteMissing && volume && { volume: { ...(svm.value && { svm: svm.value }), volume, ...among } }),
  }))
}

/** ONTAP's interface has no status 415. */
const unsupportedType = (contentType = ''): Failure =>
  failure(
    400,
    'invalidValue',
    `The content type "${contentType}" is not supported. Supported: ${Object.values(ruleFormats).flat().join(', ')}, in UTF-8.`,
    'content-type',
  )

/** The parameters of a list that say what of a record is answered, and how much. */
const notOfExports = ['fields', 'max_records', 'return_records', 'return_timeout', 'pretty']

function readExport(rawQuery: string): Result<{ readonly format: RuleFormat; readonly query: string }, Failure> {
  const query = new URLSearchParams(rawQuery)
  const [format = 'csv', ...others] = query.getAll('format')
  if ((format !== 'csv' && format !== 'jsonl') || others.length > 0) {
    return err(invalidParameter('format', others[0] ?? format))
  }
  query.delete('format')
  const unused = notOfExports.find((name) => query.has(name))
  return unused === undefined ? ok({ format, query: String(query) }) : err(unexpectedArgument(unused))
}
