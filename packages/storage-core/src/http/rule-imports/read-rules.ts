import { issueOf } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'
import * as v from 'valibot'
import type { ImportedRule } from '../../rule-imports/rule-import.ts'
import type { Named } from '../../volumes/find-volume.ts'
import type { Caller } from '../access/caller.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { inputFailure } from '../errors/input-failure.ts'
import { unknownSibling } from '../errors/unknown-sibling.ts'
import { knownFields } from '../known-fields.ts'
import { type RuleBody, ruleBody } from '../quota-rules/rule-operations.ts'
import { RULES_PATH } from '../quota-rules/rule-records.ts'
import { createRequest } from '../quota-rules/rule-requests.ts'
import { svmOf } from '../requests/change-request.ts'
import { readLines } from './file-lines.ts'
import type { RuleFormat } from './import-formats.ts'
import { rowReaders } from './row-reader.ts'

export interface ReadRulesOptions {
  readonly format: RuleFormat
  readonly caller: Caller
  /** The SVM and the volume of rules that name none. */
  readonly defaults: { readonly svm?: Named; readonly volume?: Named }
}

/** Reads the rules of a file, up to the first mistake, whose failure names the line and the field. */
export async function readRules(
  file: Uint8Array,
  { format, caller, defaults }: ReadRulesOptions,
): Promise<Result<readonly ImportedRule[], Failure>> {
  const { header, open } = rowReaders[format]
  const readRow = open()
  const rules: ImportedRule[] = []
  let rows = 0
  const read = await readLines(file, header, ({ number, bytes }) => {
    rows += 1
    return readRow(bytes).andThen((value): Result<void, Failure> => {
      if (rows <= header) return ok()
      const checked = checkBody(value)
      if (checked.isErr()) return err(checked.error)
      const body = { ...defaults, ...checked.value }
      const svm = svmOf(body.svm, caller.svm)
      if (svm.isErr()) return err(svm.error)
      rules.push({ ...createRequest(body, svm.value, caller), line: number })
      return ok()
    })
  })
  if (read.isErr()) return err(read.error)
  return rows < header
    ? err(failure(400, 'missingValue', 'The file needs a line with the names of columns.'))
    : ok(rules)
}

function checkBody(value: unknown): Result<RuleBody, Failure> {
  // Collecting all issues takes quadratic time in their number.
  const { success, output } = v.safeParse(ruleBody, value, { abortEarly: true })
  if (success) return ok(output)
  const issue = issueOf('body', ruleBody, value)
  if (!issue) throw new Error('A body that the schema refuses has no issue')
  return err(inputFailure(unknownSibling(issue, ruleBody) ?? issue, knownFields(RULES_PATH)))
}
