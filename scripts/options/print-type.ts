import ts from 'typescript'
import { packageOf } from './package-of.ts'

/** Types of TypeScript that say nothing to a reader of options: what they wrap is printed. */
const wrappers = new Set(['Readonly', 'Partial', 'Required', 'Omit', 'Pick', 'NonNullable'])

/**
 * Returns a type as a reader knows it: as it is written, but without `readonly`, `undefined` and the parameters of generic
 * types of packages.
 *
 * @param unnamed types whose options are listed with those that contain them, so that their name says nothing
 */
export function printType(checker: ts.TypeChecker, written: ts.Node, unnamed: ReadonlySet<ts.Type>): string {
  function print(node: ts.Node): string {
    if (ts.isParenthesizedTypeNode(node)) return print(node.type)
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) return print(node.type)
    if (ts.isUnionTypeNode(node)) return printUnion(node.types)
    if (ts.isArrayTypeNode(node)) return `${inParentheses(node.elementType)}[]`
    if (ts.isTupleTypeNode(node)) return printTuple(node.elements)
    if (ts.isFunctionTypeNode(node) || ts.isMethodSignature(node)) return printFunction(node)
    if (ts.isTypeReferenceNode(node)) return printReference(node)
    if (ts.isIndexedAccessTypeNode(node)) return printMember(node)
    if (ts.isTypeLiteralNode(node)) return 'object'
    if (ts.isConstructorTypeNode(node)) return `new ${printFunction(node)}`
    return node.getText().replaceAll(/\s+/g, ' ').replace('globalThis.', '')
  }

  function printUnion(nodes: readonly ts.TypeNode[]): string {
    const parts = nodes.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
    const [only] = parts
    return only && parts.length === 1 ? print(only) : [...new Set(parts.map(inParentheses))].join(' | ')
  }

  function printTuple(elements: readonly ts.Node[]): string {
    const texts = elements.map((element) =>
      ts.isRestTypeNode(element) && ts.isArrayTypeNode(element.type) ? print(element.type.elementType) : print(element),
    )
    const [text] = new Set(texts)
    return new Set(texts).size === 1 ? `${text}[]` : `[${texts.join(', ')}]`
  }

  function printFunction({ parameters, type }: ts.SignatureDeclaration): string {
    const texts = parameters.map((parameter) => {
      return `${parameter.name.getText()}: ${parameter.type ? print(parameter.type) : 'unknown'}`
    })
    return `(${texts.join(', ')}) => ${type ? print(type) : 'void'}`
  }

  function printReference(node: ts.TypeReferenceNode): string {
    if (unnamed.has(checker.getTypeFromTypeNode(node))) return 'object'
    const { typeName, typeArguments = [] } = node
    const name = typeName.getText()
    const [first] = typeArguments
    if (first && wrappers.has(name)) return print(first)
    if (first && name === 'ReadonlyArray') return `${inParentheses(first)}[]`
    if (first && name === 'Promisable') return `${print(first)} | Promise<${print(first)}>`
    const declared = declarationOf(typeName)
    const alias = declared?.declarations?.find(ts.isTypeAliasDeclaration)
    if (declared && packageOf(declared) !== undefined) return alias && isPlain(alias.type) ? print(alias.type) : name
    return first ? `${name}<${typeArguments.map(print).join(', ')}>` : name
  }

  /** Prints `Options['member']` as what the member is. */
  function printMember(node: ts.IndexedAccessTypeNode): string {
    const { objectType, indexType } = node
    const name = ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : ''
    const member = checker.getTypeFromTypeNode(objectType).getProperty(name)?.valueDeclaration
    const type = member && ts.isPropertySignature(member) ? member.type : member
    return type ? print(type) : node.getText()
  }

  function inParentheses(node: ts.Node): string {
    const text = print(node)
    return / \| |=>/.test(text.replaceAll(/<.*>/g, '')) ? `(${text})` : text
  }

  function declarationOf(name: ts.EntityName): ts.Symbol | undefined {
    const symbol = checker.getSymbolAtLocation(name)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  return print(written)
}

/** Returns whether a type is best known by what it is: a list of literals, or a record of texts. */
const isPlain = (node: ts.TypeNode): boolean =>
  ts.isLiteralTypeNode(node) ||
  node.kind === ts.SyntaxKind.StringKeyword ||
  node.kind === ts.SyntaxKind.NumberKeyword ||
  (ts.isUnionTypeNode(node) && node.types.every(isPlain)) ||
  (ts.isTypeReferenceNode(node) &&
    ['Readonly', 'Record'].includes(node.typeName.getText()) &&
    (node.typeArguments ?? []).every(isPlain))
