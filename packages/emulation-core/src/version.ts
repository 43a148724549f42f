/** This package's version. */
export const VERSION = '0.0.0'
