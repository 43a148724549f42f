import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { createdRuleFields } from '../quota-rules/quota-rule-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import { MAXIMUM_IMPORTED_RULES } from './rule-import.ts'
import type { RuleImports } from './rule-imports.ts'

/** What a rule of an import is checked by, when its turn comes: all of them together would hold the process. */
export const importedRule = v.object({ ...createdRuleFields, line: v.number() })

const ruleImport = v.object({
  rules: v.pipe(
    v.array(v.unknown()),
    v.maxLength(MAXIMUM_IMPORTED_RULES, `must have at most ${MAXIMUM_IMPORTED_RULES} rules`),
  ),
  deleteMissing: v.optional(v.boolean()),
  volume: v.optional(v.object(namedVolumeFields)),
})

/** What the methods of {@link RuleImports} take. Unusable targets and limits are errors of the operations. */
export const ruleImportArguments: ArgumentSchemas<RuleImports> = {
  plan: [ruleImport],
  apply: [ruleImport, labelSchema],
}
