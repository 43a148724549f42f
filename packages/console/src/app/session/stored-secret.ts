/** A text in the session storage, for as long as the tab is open. */
export const storedSecret = (name: string) => ({
  read: (): string | undefined => sessionStorage.getItem(name) ?? undefined,
  write: (secret: string): void => sessionStorage.setItem(name, secret),
  remove: (): void => sessionStorage.removeItem(name),
})
