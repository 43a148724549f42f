/** Loads an optional driver, and tells in one sentence what to install where it is missing. */
export async function driverModule<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new Error(`This database needs the package ${name}: npm install ${name}`, { cause })
  }
}
