import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import { MAXIMUM_IMPORTED_RULES } from './rule-import.ts'
import type { RuleImports } from './rule-imports.ts'

const ruleImport = v.object({
  rules: v.pipe(
    // Rules are checked one by one: see `importedRuleChecks`.
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
