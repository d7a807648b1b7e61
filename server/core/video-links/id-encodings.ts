/** Converts ids that sites write in two ways to one of them. */

const flickrBase58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'

/** Returns PeerTube's short form of a UUID (npm short-uuid): base 58, 22 digits. Short forms are returned unchanged. */
export function shortUuid(id: string): string {
  if (!id.includes('-')) return id.padStart(22, flickrBase58.charAt(0))
  let rest = BigInt(`0x${id.replaceAll('-', '')}`)
  let short = ''
  while (rest > 0n) {
    short = flickrBase58.charAt(Number(rest % 58n)) + short
    rest /= 58n
  }
  return short.padStart(22, flickrBase58.charAt(0))
}

const bilibiliDigits = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf'

/** Returns Bilibili's newer id for an older number, or null if it is out of range (bilibili-API-collect, bvid_desc). */
export function toBvid(aid: string): string | null {
  const limit = 1n << 51n
  const number = BigInt(aid)
  if (number < 1n || number >= limit) return null
  const digits = [...'BV1000000000']
  let rest = (limit | number) ^ 23442827791579n
  for (let position = 11; rest > 0n; position--) {
    digits[position] = bilibiliDigits.charAt(Number(rest % 58n))
    rest /= 58n
  }
  const swap = (a: number, b: number) => {
    ;[digits[a], digits[b]] = [digits[b] ?? '', digits[a] ?? '']
  }
  swap(3, 9)
  swap(4, 7)
  return digits.join('')
}
