/** Offers a file to the user as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the URL after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
