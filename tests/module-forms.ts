import ts from 'typescript'

/** Returns the declarations of a module, each with its line, whose form differs from the rules in CONTRIBUTING. */
export function wrongForms(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const lists = source.statements.filter(ts.isVariableStatement).map(({ declarationList }) => declarationList)
  return lists.filter(isConstant).flatMap(({ declarations }) =>
    declarations.flatMap((one) => {
      const wrong = ts.isIdentifier(one.name) ? wrongForm(one, one.name.text) : undefined
      const line = source.getLineAndCharacterOfPosition(one.getStart(source)).line + 1
      return wrong === undefined ? [] : [`${file}:${line} ${wrong}`]
    }),
  )
}

/** Describes a wrong form. An arrow with a declared type, such as an adapter's, gets its parameters' types from it. */
function wrongForm({ initializer, type }: ts.VariableDeclaration, name: string): string | undefined {
  if (initializer === undefined) return undefined
  const value = withoutTypeSyntax(initializer)
  if (isLongArrow(value) && type === undefined) return `${name} is a function of several statements`
  if (isSingle(value) && !UPPER_CASE.test(name)) return `${name} is one value`
  if (isTable(value) && UPPER_CASE.test(name)) return `${name} is a table`
  return undefined
}

const isConstant = ({ flags }: ts.VariableDeclarationList) => (flags & ts.NodeFlags.Const) !== 0

const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/

const isLongArrow = (value: ts.Expression) =>
  ts.isArrowFunction(value) && ts.isBlock(value.body) && value.body.statements.length > 1

/** Returns whether an expression is a literal, or computed from literals. */
function isSingle(value: ts.Expression): boolean {
  if (ts.isBinaryExpression(value))
    return isSingle(withoutTypeSyntax(value.left)) && isSingle(withoutTypeSyntax(value.right))
  if (ts.isPrefixUnaryExpression(value)) return isSingle(withoutTypeSyntax(value.operand))
  return ts.isLiteralExpression(value)
}

const isTable = (value: ts.Expression) => ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value)

/** Returns the expression without type assertions and parentheses. */
function withoutTypeSyntax(value: ts.Expression): ts.Expression {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value))
    return withoutTypeSyntax(value.expression)
  return value
}
