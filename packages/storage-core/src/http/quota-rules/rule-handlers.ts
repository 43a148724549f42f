import type { Handlers } from '@trivium/http-contract'
import type { QuotaRule } from '../../quota-rules/quota-rule.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { parseChange, svmOf } from '../requests/change-request.ts'
import type { RulePatch, ruleOperations } from './rule-operations.ts'
import { RULES_PATH, rulePath, ruleSource, ruleToWire } from './rule-records.ts'
import { changeOf, createRequest } from './rule-requests.ts'

export function ruleHandlers({ storage }: HandlerOptions): Handlers<typeof ruleOperations, Caller> {
  const { quotaRules, jobs } = storage
  const source = ruleSource(storage)
  const find = (uuid: string, caller: Caller) =>
    quotaRules
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, notFound('uuid')))
  const update = (rule: QuotaRule, body: RulePatch) =>
    quotaRules.update(rule.uuid, changeOf(body), { description: `PATCH ${rulePath(rule)}` }).mapErr(toFailure)
  const remove = (rule: QuotaRule) =>
    quotaRules.delete(rule.uuid, { description: `DELETE ${rulePath(rule)}` }).mapErr(toFailure)
  return {
    listQuotaRules: (call) => listRecords(call, source),
    getQuotaRule: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    createQuotaRule: async ({ rawQuery, caller, ending, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const svm = svmOf(body.svm, caller.svm)
      if (svm.isErr()) return failureAnswer(caller, svm.error)
      const request = createRequest(body, svm.value, caller)
      const created = await quotaRules.create(request, { description: `POST ${RULES_PATH}` })
      if (created.isErr()) return failureAnswer(caller, toFailure(created.error))
      const { rule, job } = created.value
      const createdRecords = { records: [ruleToWire(rule, caller.links)], location: rulePath(rule) }
      return answerJob({
        jobs,
        caller,
        ending,
        job,
        returnTimeout: parameters.value.returnTimeout,
        done: 201,
        createdRecords,
      })
    },
    updateQuotaRule: async ({ rawQuery, caller, ending, params: { uuid }, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const updated = await find(uuid, caller).andThen((rule) => update(rule, body))
      if (updated.isErr()) return failureAnswer(caller, updated.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: updated.value.job, returnTimeout, done: 200 })
    },
    deleteQuotaRule: async ({ rawQuery, caller, ending, params: { uuid } }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const deleted = await find(uuid, caller).andThen(remove)
      if (deleted.isErr()) return failureAnswer(caller, deleted.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: deleted.value.job, returnTimeout, done: 200 })
    },
    updateQuotaRules: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: (rule) => update(rule, call.body).map(({ job }) => job),
      }),
    deleteQuotaRules: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: (rule) => remove(rule).map(({ job }) => job),
      }),
  }
}
