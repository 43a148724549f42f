/** Hands the browser a file to keep. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser takes the address when it gets to it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
