/** Larger copies of pictures whose addresses contain their size. The hosts do not have every size of every picture. */

interface PictureHost {
  hosts: RegExp
  path: RegExp
  /** Replacements of what the path matches, the largest first. */
  larger: readonly string[]
}

/** From the hosts' documentation of their thumbnails and yt-dlp's extractors. */
const pictureHosts: readonly PictureHost[] = [
  {
    // hqdefault and sddefault are 4:3, with black bars above and below.
    hosts: /^(?:i|i\d|img)\.(?:ytimg|youtube)\.com$/,
    path: /^(\/vi(?:_webp)?\/[\w-]{11}\/)(?:default|mqdefault|hqdefault|sddefault|0)(\.(?:jpg|webp))$/,
    larger: ['$1maxresdefault$2'],
  },
  {
    hosts: /^i\.vimeocdn\.com$/,
    path: /^(\/video\/[\w-]{1,200})_(?:\d{2,3}|\d{2,3}x\d{2,3})$/,
    larger: ['$1_1280'],
  },
  {
    hosts: /^s\d\.dmcdn\.net$/,
    path: /^(\/v\/[\w-]{1,100}\/)x(?:60|120|180|240|360|480)$/,
    larger: ['$1x1080', '$1x720'],
  },
]

/** Returns the addresses at which a larger copy of a picture may be, the largest first; empty for other addresses. */
export function largerPictures(link: string): string[] {
  if (!URL.canParse(link)) return []
  const url = new URL(link)
  const host = pictureHosts.find(({ hosts, path }) => hosts.test(url.hostname) && path.test(url.pathname))
  return (host?.larger ?? []).map((replacement) => {
    const larger = new URL(link)
    larger.pathname = url.pathname.replace(host?.path ?? '', replacement)
    return larger.href
  })
}
