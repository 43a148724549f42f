/** The file of a build that has the fingerprint of its sources. */
export const STAMP = 'built-from'
