/** The name of the file in a build that contains the fingerprint of its sources. */
export const STAMP = 'built-from'
