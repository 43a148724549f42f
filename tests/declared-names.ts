import ts from 'typescript'

/** Returns the names that a source declares: of variables, parameters, functions, types and their members. */
export function declaredNames(file: string, text: string): readonly string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (declares(node) && node.name !== undefined && ts.isIdentifier(node.name)) names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return names
}

const declares = (node: ts.Node) =>
  ts.isVariableDeclaration(node) ||
  ts.isBindingElement(node) ||
  ts.isParameter(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node)
