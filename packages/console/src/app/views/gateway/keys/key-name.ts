/** Names a key for people: `notebook of ada`, or `ada` without a name. */
export const keyName = ({ username, name }: { readonly username: string; readonly name: string | null }): string =>
  name === null ? username : `${name} of ${username}`
