import { relative } from 'node:path'
import ts from 'typescript'
import { type SourceEntry, type SourceExport, sourceProgram } from '../packages/source-program.ts'
import { type ContainedOptions, containedOptions, optionTypesIn } from './contained-options.ts'
import { declarationOf } from './declaration-of.ts'
import { docComment } from './doc-comment.ts'
import type { Option, OptionFunctions, OptionReference, OptionTable, SharedType } from './option-reference.ts'
import { packageOf } from './package-of.ts'
import { printType } from './print-type.ts'

interface FunctionGroup {
  readonly entry: SourceEntry
  readonly types: readonly ts.Type[]
  readonly functions: SourceExport[]
}

/** Reads the options of every exported function from the sources of the packages. */
export function readOptionReference(): OptionReference {
  const { checker, entries } = sourceProgram()
  const groups = groupFunctions(entries, checker)
  const uses = countUses(groups, checker)
  const isShared = (type: ts.Type): boolean => (uses.get(identityOf(type)) ?? 0) > 1

  const tableOf = (type: ts.Type): OptionTable => ({
    ...nameOf(type),
    kind: 'table',
    summary: docComment(declarationOf(type), checker).summary,
    options: optionsOf(type, ''),
  })

  const optionsOf = (type: ts.Type, prefix: string): readonly Option[] =>
    type.getProperties().flatMap((property) => {
      const path = `${prefix}${property.name}`
      const node = typeNodeOf(property)
      const declared = declaredType(property, checker)
      const contained = containedOptions(declared, checker)
      const listedHere = contained.filter((one) => !isShared(one.type))
      const { text, default: stated } = docComment(property, checker)
      const option: Option = {
        path,
        type: node
          ? printType(checker, node, new Set(listedHere.map((one) => one.type)))
          : checker.typeToString(checker.getNonNullableType(declared)),
        shared: contained.filter((one) => isShared(one.type)).map((one) => sharedType(one.type)),
        required: !(property.flags & ts.SymbolFlags.Optional),
        default: stated,
        consistsOfDefaults: consistsOfDefaults(contained),
        meaning: text,
        file: relative('.', property.declarations?.[0]?.getSourceFile().fileName ?? ''),
      }
      return [option, ...listedHere.flatMap((one) => optionsOf(one.type, `${path}${one.suffix}.`))]
    })

  const functions = groups.map(
    ({ entry, types, functions }): OptionFunctions => ({
      package: entry.package,
      specifier: entry.specifier,
      functions: functions.map(({ name, symbol }) => ({
        name,
        summary: docComment(symbol, checker).summary,
        calls: checker
          .getTypeOfSymbol(symbol)
          .getCallSignatures()
          .map((signature) => `${name}(${signature.parameters.map((one) => parameterText(one, checker)).join(', ')})`),
      })),
      tables: types.map((type) => (isShared(type) ? sharedType(type) : tableOf(type))),
    }),
  )
  const sharedTypes = [...new Map(everyType(groups, checker).map((type) => [identityOf(type), type])).values()]
  return { functions, sharedTypes: sharedTypes.filter(isShared).map(tableOf) }
}

function groupFunctions(entries: readonly SourceEntry[], checker: ts.TypeChecker): readonly FunctionGroup[] {
  const groups: FunctionGroup[] = []
  const seen = new Set<ts.Symbol>()
  for (const entry of entries) {
    for (const exported of entry.exports) {
      const types = parametersOf(exported.symbol, checker).flatMap((type) => optionTypesIn(type, checker))
      if (types.length === 0 || seen.has(exported.symbol)) continue
      seen.add(exported.symbol)
      const group = groups.find((one) => one.entry === entry && sameTypes(one.types, types))
      if (group) group.functions.push(exported)
      else groups.push({ entry, types, functions: [exported] })
    }
  }
  return groups
}

/** Returns the types of the parameters of a function, and of the function that it returns. */
function parametersOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Type[] {
  if (!(symbol.flags & ts.SymbolFlags.Value)) return []
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures()
  return [...signatures, ...signatures.flatMap((signature) => signature.getReturnType().getCallSignatures())].flatMap(
    ({ parameters }) => parameters.map((parameter) => checker.getTypeOfSymbol(parameter)),
  )
}

/** Returns a parameter with its type as it is written. One that is taken apart gets the name of its type. */
function parameterText(parameter: ts.Symbol, checker: ts.TypeChecker): string {
  const declaration = parameter.valueDeclaration
  if (!declaration || !ts.isParameter(declaration)) return parameter.name
  const type =
    declaration.type?.getText().replaceAll(/\s+/g, ' ') ?? checker.typeToString(checker.getTypeOfSymbol(parameter))
  const ofType = /Options\b/.test(type) ? 'options' : `${type.charAt(0).toLowerCase()}${type.slice(1)}`
  const name = ts.isIdentifier(declaration.name) ? declaration.name.text : ofType
  return `${name}${declaration.questionToken || declaration.initializer ? '?' : ''}: ${type}`
}

const sameTypes = (some: readonly ts.Type[], others: readonly ts.Type[]): boolean =>
  some.length === others.length && some.every((type, index) => type === others[index])

/** Returns every type of options once for each place that takes it. */
function everyType(groups: readonly FunctionGroup[], checker: ts.TypeChecker): readonly ts.Type[] {
  const found: ts.Type[] = []
  const visited = new Set<Identity>()
  const visit = (type: ts.Type): void => {
    found.push(type)
    if (visited.has(identityOf(type))) return
    visited.add(identityOf(type))
    for (const property of type.getProperties()) {
      for (const contained of containedOptions(declaredType(property, checker), checker)) visit(contained.type)
    }
  }
  for (const type of groups.flatMap(({ types }) => types)) visit(type)
  return found
}

function countUses(groups: readonly FunctionGroup[], checker: ts.TypeChecker): ReadonlyMap<Identity, number> {
  const types = everyType(groups, checker).filter((type) => identityOf(type) !== type)
  return new Map([...Map.groupBy(types, identityOf)].map(([identity, uses]) => [identity, uses.length]))
}

type Identity = ts.Symbol | ts.Type

/** Returns the declaration of a type of a package that has a name, otherwise the type. */
function identityOf(type: ts.Type): Identity {
  const declaration = declarationOf(type)
  return packageOf(declaration) === undefined || declaration.name === '__type' ? type : declaration
}

const nameOf = (type: ts.Type) => ({ package: packageOf(declarationOf(type)) ?? '', name: declarationOf(type).name })

const sharedType = (type: ts.Type): SharedType => ({ ...nameOf(type), kind: 'shared' })

/** Returns the type as it is written, which keeps its name where the option is optional. */
function declaredType(property: ts.Symbol, checker: ts.TypeChecker): ts.Type {
  const node = typeNodeOf(property)
  return node && !ts.isMethodSignature(node) ? checker.getTypeFromTypeNode(node) : checker.getTypeOfSymbol(property)
}

function typeNodeOf(property: ts.Symbol): ts.TypeNode | ts.MethodSignature | undefined {
  const [declaration] = property.declarations ?? []
  if (!declaration) return undefined
  if (ts.isMethodSignature(declaration)) return declaration
  return ts.isPropertySignature(declaration) ? declaration.type : undefined
}

const consistsOfDefaults = (contained: readonly ContainedOptions[]): boolean =>
  contained.length > 0 &&
  contained.every(
    ({ suffix, type }) =>
      suffix === '' && type.getProperties().every(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0),
  )
