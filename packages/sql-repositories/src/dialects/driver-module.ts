/**
 * Loads an optional driver.
 *
 * @throws {Error} naming the package to install, where it is missing
 */
export async function driverModule<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new Error(`This database needs the package ${name}: npm install ${name}`, { cause })
  }
}
