/** The part of the library that is used here. Its own types need those of Node. */
declare module 'papaparse/papaparse.min.js' {
  interface ParseError {
    readonly type: string
    readonly message: string
  }

  const papaparse: {
    parse(
      text: string,
      options: { readonly delimiter: string; readonly newline: string },
    ): { readonly data: readonly (readonly string[])[]; readonly errors: readonly ParseError[] }
  }

  export default papaparse
}
