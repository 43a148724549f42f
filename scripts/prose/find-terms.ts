import { createRequire } from 'node:module'
import { TextlintKernel, type TextlintKernelPlugin } from '@textlint/kernel'
import terminology from 'textlint-rule-terminology'
import type { Found } from './found.ts'
import { patternOf, terms } from './terms.ts'

const require = createRequire(import.meta.url)

// Node and Vitest disagree about the default of this CommonJS module when it is imported.
const { default: plugin }: { readonly default: TextlintKernelPlugin['plugin'] } =
  require('@textlint/textlint-plugin-text')

/** Finds the words to avoid with textlint. @param texts without line breaks */
export async function findTerms(texts: readonly string[]): Promise<readonly Found[]> {
  const { messages } = await new TextlintKernel().lintText(texts.join('\n'), {
    ext: '.txt',
    plugins: [{ pluginId: 'text', plugin }],
    rules: terms.map((term) => ({
      ruleId: term.rule,
      rule: terminology,
      options: { defaultTerms: false, terms: [[patternOf(term), term.use]] },
    })),
  })
  return messages.map(({ ruleId, loc, message }) => ({
    rule: ruleId,
    index: loc.start.line - 1,
    offset: loc.start.column - 1,
    message: message.replace(/^Incorrect term: /, ''),
  }))
}
