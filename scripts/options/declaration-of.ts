import type ts from 'typescript'

/** Returns what gives a type its name. */
export const declarationOf = ({ aliasSymbol, symbol }: ts.Type): ts.Symbol => aliasSymbol ?? symbol
