import { loadConfig, spellCheckDocument } from 'cspell-lib'
import type { Found } from './found.ts'

/** Returns the words that neither cspell's dictionaries nor `dictionary.txt` contain. */
async function misspelled(words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const settings = await loadConfig('cspell.json')
  const { issues, errors } = await spellCheckDocument(
    { uri: 'file:///prose.txt', text: words.join('\n'), languageId: 'plaintext' },
    { generateSuggestions: false, noConfigSearch: true },
    { ...settings, maxNumberOfProblems: Number.MAX_SAFE_INTEGER },
  )
  if (errors?.length) throw new AggregateError(errors, 'The spelling cannot be checked')
  return new Map(issues.map(({ text, line }) => [line.text.trim(), text]))
}

/** Finds misspelled words with cspell, which checks each word once. @param texts with one space between words */
export async function findMisspellings(texts: readonly string[]): Promise<readonly Found[]> {
  const wrong = await misspelled([...new Set(texts.flatMap((text) => text.split(' ')))])
  return texts.flatMap((text, index) => {
    let offset = 0
    return text.split(' ').flatMap((word) => {
      const start = offset
      offset += word.length + 1
      const part = wrong.get(word)
      const message = `“${part}” is in no dictionary: correct it, or add it to dictionary.txt`
      return part === undefined ? [] : [{ rule: 'spelling', index, offset: start, message }]
    })
  })
}
