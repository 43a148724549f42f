import * as v from 'valibot'
import { checkArguments } from '../check-arguments.ts'
import { createdRuleFields } from '../quota-rules/quota-rule-arguments.ts'
import type { ImportedRule } from './rule-import.ts'

const importedRule = v.object({ ...createdRuleFields, line: v.number() })
const unchanged = (rule: ImportedRule): ImportedRule => rule

/** Checks a rule for a method when its turn comes: all rules of an import together would hold the process. */
export const importedRuleChecks = checkArguments(
  { plan: unchanged, apply: unchanged },
  { plan: [importedRule], apply: [importedRule] },
)
