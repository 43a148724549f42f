import ts from 'typescript'

/** What the doc comment of a declaration states, each in one line. */
export interface DocComment {
  /** The text before the tags; empty where it has only tags. */
  readonly text: string
  /** The first sentence of the text. */
  readonly summary: string
  readonly default: string | undefined
}

export function docComment(symbol: ts.Symbol, checker: ts.TypeChecker): DocComment {
  const text = plainText(symbol.getDocumentationComment(checker))
  const [paragraph = ''] = text.split(/\n\s*\n/)
  const stated = symbol.getJsDocTags(checker).find(({ name }) => name === 'default')
  return {
    text: inOneLine(text),
    summary: /^.*?[.](?=$| [A-Z`])/.exec(inOneLine(paragraph))?.[0] ?? inOneLine(paragraph),
    default: stated && inOneLine(plainText(stated.text ?? [])),
  }
}

const plainText = (parts: readonly ts.SymbolDisplayPart[]): string =>
  ts.displayPartsToString([...parts]).replaceAll(/\{@link\s+([^}|\s]+)[^}]*\}/g, '`$1`')

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
