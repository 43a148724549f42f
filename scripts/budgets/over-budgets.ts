import type { Budget } from './budgets.ts'
import type { Weight } from './package-weights.ts'

const measures = ['packedKilobytes', 'unpackedKilobytes', 'dependencies', 'dependenciesKilobytes'] as const

/** @returns sentences about packages that exceed their budgets, packages without a budget, and budgets without a package */
export function overBudgets(
  weights: ReadonlyMap<string, Weight>,
  budgets: ReadonlyMap<string, Budget>,
): readonly string[] {
  const problems = [...weights].flatMap(([name, weight]) => {
    const budget = budgets.get(name)
    if (!budget) return [`${name} has no budget in scripts/budgets.json`]
    return measures
      .filter((measure) => weight[measure] > budget[measure])
      .map((measure) => `${name}: ${measure} is ${weight[measure]}, its budget ${budget[measure]}`)
  })
  const obsolete = [...budgets.keys()].filter((name) => !weights.has(name))
  return [...problems, ...obsolete.map((name) => `${name} has a budget and is not a package`)]
}
