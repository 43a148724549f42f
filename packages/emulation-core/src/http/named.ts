type Named<Entries, Name extends string> = {
  readonly [Id in keyof Entries & string as `${Id}${Name}`]: Entries[Id]
}

/** Adds a kind's name to each id: `create` becomes `createEmu1`. */
export const named = <const Entries extends object, const Name extends string>(
  entries: Entries,
  name: Name,
): Named<Entries, Name> =>
  // The compiler cannot infer computed keys.
  Object.fromEntries(Object.entries(entries).map(([id, entry]) => [`${id}${name}`, entry])) as Named<Entries, Name>
