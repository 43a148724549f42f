import ts from 'typescript'
import { declarationOf } from './declaration-of.ts'
import { packageOf } from './package-of.ts'

/** A type of options in another type. */
export interface ContainedOptions {
  readonly type: ts.Type
  /** What leads to it from the option: `[]` in a list, `.*` in a record. */
  readonly suffix: string
}

/** Types of options that are not named so. */
const otherNames = new Set(['ConnectionLimits', 'ConsoleService', 'FetchPeer'])

/** Types of JavaScript that are values in spite of their methods. */
const valueTypes = new Set(['Date', 'RegExp', 'URL', 'Uint8Array'])

/** Types of TypeScript that have the properties of another type. */
const wrappers = new Set(['Readonly', 'Partial', 'Required', 'Omit', 'Pick'])

const isNamedAsOptions = (type: ts.Type): boolean =>
  /Options$/.test(declaredName(type)) || otherNames.has(declaredName(type))

const declaredName = (type: ts.Type): string => declarationOf(wrappedBy(type) ?? type)?.name ?? ''

/** Returns the type of which another one is a part or variant. */
const wrappedBy = ({ aliasSymbol, aliasTypeArguments }: ts.Type): ts.Type | undefined =>
  aliasSymbol && wrappers.has(aliasSymbol.name) ? aliasTypeArguments?.[0] : undefined

/** Returns the types of options that a parameter takes. */
export const optionTypesIn = (type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter((part) => isDeclaredObject(part, checker) && isNamedAsOptions(part))

/**
 * Returns the types whose properties are options, too: types named as options, and those that are data. A type with
 * methods is a part that the host passes, such as a store.
 */
export function containedOptions(type: ts.Type, checker: ts.TypeChecker): readonly ContainedOptions[] {
  const visited = new Set<ts.Type>()
  const find = (type: ts.Type): readonly ContainedOptions[] => {
    if (visited.has(type)) return []
    visited.add(type)
    const wrapped = wrappedBy(type)
    if (wrapped && type.aliasSymbol?.name === 'Readonly') return find(wrapped)
    if (type.isUnion()) return ofUnion(type.types.flatMap(find))
    const values = valuesOf(type, checker)
    if (values) return find(values.type).map((one) => ({ ...one, suffix: `${values.suffix}${one.suffix}` }))
    const isOptions = isDeclaredObject(type, checker) && (isNamedAsOptions(type) || isData(type, checker, new Set()))
    return isOptions ? [{ type, suffix: '' }] : []
  }
  return find(type)
}

/** Leaves out the variants of a value, whose properties have the same names. */
const ofUnion = (found: readonly ContainedOptions[]): readonly ContainedOptions[] =>
  found.length > 1 && !found.every(({ type }) => isNamedAsOptions(type)) ? [] : found

/** Returns the type of the elements of a list or record. */
function valuesOf(type: ts.Type, checker: ts.TypeChecker): ContainedOptions | undefined {
  const element = checker.isArrayLikeType(type) ? type.getNumberIndexType() : undefined
  if (element) return { type: element, suffix: '[]' }
  const value = type.getProperties().length === 0 ? type.getStringIndexType() : undefined
  return value && { type: value, suffix: '.*' }
}

const isDeclaredObject = (type: ts.Type, checker: ts.TypeChecker): boolean =>
  (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 &&
  packageOf(declarationOf(wrappedBy(type) ?? type)) !== undefined &&
  type.getProperties().length > 0 &&
  type.getCallSignatures().length === 0 &&
  !type.isClass() &&
  !checker.isArrayLikeType(type)

/** Returns whether a type contains neither functions nor objects with functions. */
function isData(type: ts.Type, checker: ts.TypeChecker, visited: Set<ts.Type>): boolean {
  if (visited.has(type)) return true
  visited.add(type)
  if (type.isUnion()) return type.types.every((part) => isData(part, checker, visited))
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return true
  const values = valuesOf(type, checker)
  if (values) return isData(values.type, checker, visited)
  if (valueTypes.has(declaredName(type))) return true
  return (
    isDeclaredObject(type, checker) &&
    type.getProperties().every((property) => isData(checker.getTypeOfSymbol(property), checker, visited))
  )
}
