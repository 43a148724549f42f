import ts from 'typescript'
import { commentPassages } from './comment-passages.ts'
import { CODE, type Passage, type Piece, passage, piecesOf } from './passage.ts'
import { readsAsProse } from './reads-as-prose.ts'

const isTest = (file: string): boolean => /\.test(?:-d)?\.tsx?$|\/tests\/|^tests\/|\/conformance\//.test(file)

/** Attributes whose words are names of classes. */
const unread = new Set(['className', 'class', 'd', 'style', 'viewBox'])

/** Returns the name at the beginning of a chain of calls: `it` of `it.each(cases)('title')`. */
function beginning(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return beginning(node.expression)
  return ts.isTaggedTemplateExpression(node) ? beginning(node.tag) : undefined
}

const isNamed = (node: ts.Node): node is ts.PropertyAssignment => ts.isPropertyAssignment(node)

/** Returns whether a string is a name rather than a text: of a module, a key or a type. */
function isName(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true
  if (ts.isTaggedTemplateExpression(parent) || ts.isElementAccessExpression(parent)) return true
  if (ts.isJsxAttribute(parent)) return unread.has(parent.name.getText())
  return isNamed(parent) && parent.name === node
}

/**
 * Returns the prose of a source: its comments, the titles of its tests and, outside tests, every string that reads as
 * prose.
 */
export function sourcePassages(file: string, text: string): readonly Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const passages: Passage[] = []
  const literals: ts.TextRange[] = []

  /** Returns the words between the quotes. Expressions in a template are replaced by a mark for code. */
  const pieces = (node: ts.Node): readonly Piece[] => {
    const from = node.getStart() + 1
    const written = text
      .slice(from, node.getEnd() - 1)
      .replaceAll(/\\(?:u\{?[\da-f]+\}?|x..|[^'"`])/gi, ' ')
      .replace(/\$$/, CODE)
    return piecesOf(written.replaceAll(/\\(?=['"`])/g, ''), lineOf(from))
  }

  const add = (kind: Passage['kind'], parts: readonly Piece[]): void => {
    const found = passage(kind, parts)
    if (kind === 'title' || readsAsProse(found.text)) passages.push(found)
  }

  const visit = (node: ts.Node): void => {
    const { parent } = node
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      const parts = ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].flatMap(pieces)
        : pieces(node)
      const call =
        ts.isCallExpression(parent) && parent.arguments[0] === node ? beginning(parent.expression) : undefined
      if (call === 'it' || call === 'test') add('title', parts)
      else if (call === 'describe') add('text', parts)
      else if (!isTest(file) && !isName(node, parent)) add('text', parts)
    }
    if (ts.isJsxText(node)) add('text', piecesOf(node.text, lineOf(node.pos)))
    if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      literals.push({ pos: ts.isJsxText(node) ? node.pos : node.getStart(), end: node.end })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...passages, ...commentPassages(text, literals, lineOf)]
}
