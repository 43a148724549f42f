const MAXIMUM_PATH = 4096

/**
 * Normalizes a path in a volume: `./dir1//f2` becomes `dir1/f2`.
 *
 * @returns `undefined` for one that is absolute, empty, longer than 4,096 characters, not valid Unicode, or has `..` or a
 *   NUL
 */
export function filePath(path: string): string | undefined {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const isUsable =
    !path.startsWith('/') &&
    path.length <= MAXIMUM_PATH &&
    path.isWellFormed() &&
    names.length > 0 &&
    !names.includes('..') &&
    !path.includes('\0')
  return isUsable ? names.join('/') : undefined
}
