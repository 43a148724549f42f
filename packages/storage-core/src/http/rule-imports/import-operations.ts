import { bytes, defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { listParameters, text } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { ruleWireFields } from '../quota-rules/rule-fields.ts'
import { ruleIdentity, ruleSettings } from '../quota-rules/rule-operations.ts'
import { jobLink } from '../wire-schemas.ts'
import { MAXIMUM_FILE_BYTES } from './file-lines.ts'
import { ruleFormats } from './import-formats.ts'

const settings = v.partial(v.object(ruleSettings))

const change = v.pipe(
  v.object({
    line: v.optional(v.pipe(v.number(), v.description('Absent for a deletion.'))),
    action: v.picklist(['create', 'modify', 'delete']),
    ...v.partial(v.object(ruleIdentity)).entries,
    before: v.optional(v.pipe(settings, v.description('Absent for a rule that is created.'))),
    after: v.optional(v.pipe(settings, v.description('Absent for a rule that is deleted.'))),
  }),
  v.title('QuotaRuleDifference'),
)

/** A named interface, because the type of the contract is otherwise too long to declare. */
export interface RuleImportSchema
  extends v.GenericSchema<{
    readonly dry_run?: boolean | undefined
    readonly num_records: number
    readonly num_created: number
    readonly num_modified: number
    readonly num_deleted: number
    readonly num_unchanged: number
    readonly records?: readonly RuleDifference[] | undefined
    readonly jobs?: readonly { readonly uuid: string }[] | undefined
  }> {}

/** A difference between the file and the stored rules, with the members of a rule. */
export interface RuleDifference {
  readonly line?: number | undefined
  readonly action: 'create' | 'modify' | 'delete'
  readonly uuid?: string | undefined
  readonly before?: object | undefined
  readonly after?: object | undefined
}

const imported: RuleImportSchema = v.pipe(
  v.object({
    dry_run: v.optional(v.boolean()),
    num_records: v.pipe(v.number(), v.description('The number of created, modified and deleted rules.')),
    num_created: v.number(),
    num_modified: v.number(),
    num_deleted: v.number(),
    num_unchanged: v.number(),
    records: v.optional(v.pipe(v.array(change), v.description('The first differences, of a dry run only.'))),
    jobs: v.optional(v.array(jobLink)),
  }),
  v.title('QuotaRuleImport'),
)

const tags = ['quota rules']
const PATH = '/api/storage/quota/rules'

export const ruleImportOperations = defineContract({
  importQuotaRules: {
    method: 'POST',
    path: `${PATH}/import`,
    tags,
    summary: 'Creates and changes many quota rules, all or none',
    description:
      'The body has one rule on each line: CSV with a header of dotted names (`text/csv`), or the bodies of requests that create a rule (`application/jsonl`). At most 10,000 rules, 2 MiB, and 128 KiB a line. A rule whose target has one gets exactly the limits of its line. The first mistake ends the import with nothing changed, and `target` names its line and field.',
    query: v.looseObject({
      dry_run: text('Whether the differences are returned and nothing is changed.'),
      delete_missing: text(
        'Whether other rules of the volumes are deleted that the file or the query names, at most 10,000.',
      ),
      'svm.name': text('The SVM of rules that name none.'),
      'svm.uuid': text('The SVM of rules that name none.'),
      'volume.name': text('The volume of rules that name none.'),
      'volume.uuid': text('The volume of rules that name none.'),
      max_records: text('The most differences of a dry run, by default 1000, at most 10000.'),
      return_timeout: text('The time to wait for the jobs, from 0 to 120 seconds.'),
    }),
    upload: v.pipe(v.string(), v.metadata({ format: 'binary' })),
    uploadType: ruleFormats.csv[0],
    bodyLimit: MAXIMUM_FILE_BYTES,
    responses: { 200: imported, 202: imported, ...failureResponses },
  },
  exportQuotaRules: {
    method: 'GET',
    path: `${PATH}/export`,
    tags,
    summary: 'Returns every quota rule that matches a query as a file to import',
    description: 'SVMs and volumes are named, and have no UUIDs, so that another cluster can import the file.',
    query: v.looseObject({
      ...listParameters(Object.keys(ruleWireFields)).entries,
      format: text('`csv` (default) or `jsonl`.'),
    }),
    responses: { 200: bytes(ruleFormats.csv[0], ruleFormats.jsonl[0]), ...failureResponses },
    responseHeaders: { 'content-disposition': 'The name of the file, `quota-rules.csv` or `quota-rules.jsonl`.' },
  },
})

/** The members of a rule that a difference names outside of `before` and `after`. */
export const identityNames: readonly string[] = Object.keys(ruleIdentity)
