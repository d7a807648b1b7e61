const units = ['bytes', 'KB', 'MB', 'GB']

/** Returns a size in decimal units: '812 bytes', '1.4 MB'. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  const rounded = unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10
  return `${rounded.toLocaleString('en')} ${units[unit]}`
}
